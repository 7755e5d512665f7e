import { expect, it } from "vitest";
import { describeSuspects, suspicionOf } from "./suspects.ts";

const code = (name: string, what: string) => ({ name, path: `/x/${name}.ts`, what });
const CODES = new Map([
  [1, code("a", "tool_call")],
  [2, code("b", "turn_start")],
  [3, code("b", "tool deploy")],
  [4, { name: "record", path: "<seam:record>", what: "agent_end" }],
]);

/** Who is suspected; `open`: slots with a call that has not settled. */
function suspected(seen: number[], open: number[] = []) {
  const unsettled = [0, 0, 0, 0, 0].map((_, slot) => (open.includes(slot) ? 1 : 0));
  return describeSuspects(suspicionOf(new Set(seen), unsettled, CODES));
}

it("what was called and never returned is certain, whatever else is awaited", () => {
  expect(suspected([1], [2, 3])).toBe("/x/a.ts (tool_call)");
});

it("after an await it is one of those that have not settled", () => {
  expect(suspected([0], [2])).toBe("Most likely /x/b.ts (turn_start, after an await)");
  expect(suspected([0], [1, 3])).toBe(
    "One of /x/a.ts (tool_call, after an await), /x/b.ts (tool deploy, after an await)",
  );
});

it("of several that took turns it is one of them", () => {
  expect(suspected([1, 2])).toBe("One of /x/a.ts (tool_call), /x/b.ts (turn_start)");
});

it("where nothing is known it may be any extension, but no part of Seam", () => {
  expect(suspected([0], [4])).toBe("One of /x/a.ts, /x/b.ts");
  const own = new Map([...CODES].filter(([slot]) => slot === 4));
  expect(describeSuspects(suspicionOf(new Set([0]), [], own))).toBe("Something in this process");
});
