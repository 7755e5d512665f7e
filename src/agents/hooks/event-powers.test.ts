import { expect, it } from "vitest";
import { eventPowers, isDecided } from "./event-powers.ts";
import { HOOKED, HOOKS } from "./test-kit/payloads.ts";

it("a power belongs to the events whose handlers can ask for it", () => {
  const powers = eventPowers({
    Pre: {
      events: ["tool_call", "tool_execution_start"],
      powers: ["block", "rewrite_input", "add_context"],
    },
    Stop: { events: ["agent_end", "agent_settled"], powers: ["continue"] },
  });
  expect(powers).toEqual({
    tool_call: ["block", "rewrite_input", "add_context"],
    tool_admit: ["block"],
    tool_execution_start: [],
    agent_end: ["continue"],
    agent_settled: [],
  });
});

it("an event that several hooks become has the powers of all of them", () => {
  const powers = eventPowers({
    After: { events: ["tool_result"], powers: ["replace_result"] },
    Failed: { events: ["tool_result"], powers: ["add_context"] },
  });
  expect(powers.tool_result).toEqual(["replace_result", "add_context"]);
});

it("only what handlers return decides", () => {
  expect(isDecided("tool_call", ["block"])).toBe(true);
  expect(isDecided("tool_result", ["add_context"])).toBe(false);
  expect(isDecided("agent_end", ["continue"])).toBe(false);
});

it.each(HOOKED)("%s: no power stands where nobody can ask for it", (agent) => {
  const useless = Object.entries(HOOKS[agent].mapping).flatMap(([hook, row]) => {
    const asked = Object.values(eventPowers({ [hook]: row })).flat();
    return row.powers.filter((power) => !asked.includes(power)).map((power) => [hook, power]);
  });
  expect(useless).toEqual([]);
});

it.each(HOOKED)("%s: of every hook and every power it is said how it is known", (agent) => {
  for (const { powers, evidence } of Object.values(HOOKS[agent].mapping)) {
    const said = ["arrives" as const, ...powers].map((what) => evidence?.[what]);
    expect(said.filter((one) => one !== "real" && one !== "fixture")).toEqual([]);
  }
});

it("Cursor was never run", () => {
  const known = Object.values(HOOKS.cursor.mapping).flatMap(({ evidence = {} }) =>
    Object.values(evidence),
  );
  expect(new Set(known)).toEqual(new Set(["fixture"]));
});
