import { expect, it } from "vitest";
import type { Allowance } from "../model/run.ts";
import { withAllowances } from "./allowance.ts";

const allowed = (more: Allowance["more"]): Allowance => ({ of: "run", more, at: "2030-01-01" });

it("what was allowed is added to what is limited, and limits nothing else", () => {
  const more = [allowed({ dollars: 2, tokens: 10 }), allowed({ dollars: 1 })];
  expect(withAllowances({ dollars: 5, turns: 3 }, more)).toEqual({ dollars: 8, turns: 3 });
  expect(withAllowances({}, more)).toEqual({});
});
