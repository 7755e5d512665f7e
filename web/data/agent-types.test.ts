import { expect, it } from "vitest";
import { ALL_AGENTS } from "../../src/agents/index.ts";
import { AGENT_TYPES } from "./agent-types.ts";

it("has every agent that Seam knows, under the name it has everywhere", () => {
  const known = Object.fromEntries(ALL_AGENTS.map(({ name, type }) => [name, type]));
  expect(AGENT_TYPES).toEqual(known);
});
