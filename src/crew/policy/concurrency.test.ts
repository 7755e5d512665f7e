import { expect, it } from "vitest";
import { choiceWithPlace, fullPlace, type Seat } from "./concurrency.ts";

const seat = (agent: Seat["agent"], rest: Partial<Seat> = {}): Seat => ({
  agent,
  pool: "default",
  machine: "one",
  ...rest,
});
const free = { agents: {}, pools: {} };

it("without limits there is always a place", () => {
  expect(fullPlace(seat("pi"), [seat("pi"), seat("pi")], free)).toBeUndefined();
});

it("an agent's places are counted over all machines, since they share one account", () => {
  const running = [seat("claude-code"), seat("claude-code", { machine: "two" })];
  expect(fullPlace(seat("claude-code"), running, { ...free, agents: { "claude-code": 2 } })).toBe(
    "2 of 2 places of claude-code are taken",
  );
});

it("a machine's and a pool's places are counted over all agents", () => {
  const running = [seat("pi"), seat("codex", { pool: "linux" })];
  expect(fullPlace(seat("gemini"), running, { ...free, machine: 2 })).toContain("this machine");
  expect(
    fullPlace(seat("gemini", { machine: "two" }), running, { ...free, machine: 2 }),
  ).toBeUndefined();
  expect(
    fullPlace(seat("pi", { pool: "linux" }), running, { ...free, pools: { linux: 1 } }),
  ).toContain("linux");
});

it("the first choice that has a place is taken", () => {
  const choices = [{ agent: "claude-code" as const }, { agent: "codex" as const }];
  const place = { pool: "default", machine: "one" };
  const limits = { ...free, agents: { "claude-code": 1 } };
  expect(choiceWithPlace(choices, place, [seat("claude-code")], limits)).toEqual(choices[1]);
  expect(choiceWithPlace(choices, place, [], limits)).toEqual(choices[0]);
  expect(choiceWithPlace(choices, place, [], { ...free, machine: 0 })).toBeUndefined();
});
