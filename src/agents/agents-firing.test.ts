import { expect, it } from "vitest";
import { EVENT_NAMES, isCrewEvent, isEventName } from "../events/index.ts";
import { AGENT_NAMES, agentsFiring, firing } from "./index.ts";

const firedBy = (agent: (typeof AGENT_NAMES)[number]) =>
  EVENT_NAMES.filter((event) => firing(agent, event) !== undefined);

it.each(AGENT_NAMES)("%s fires session_start", (agent) => {
  expect(firing(agent, "session_start")).toBeDefined();
});

it.each(AGENT_NAMES)("%s fires only events that exist", (agent) => {
  expect(firedBy(agent).length).toBeGreaterThan(0);
  expect(firedBy(agent).every(isEventName)).toBe(true);
});

it("the embedded agent fires all events and honours every decision", () => {
  const ofAgents = EVENT_NAMES.filter((event) => !isCrewEvent(event));
  expect(firedBy("seam")).toEqual(ofAgents);
  expect(ofAgents.every((event) => firing("seam", event) === "decide")).toBe(true);
});

it("an agent without hooks is only watched: nothing can be stopped", () => {
  expect(EVENT_NAMES.filter((event) => firing("aider", event) === "decide")).toEqual([]);
});

it.each(AGENT_NAMES.filter((agent) => agent !== "aider"))(
  "%s lets a tool call be blocked",
  (agent) => {
    expect(firing(agent, "tool_call")).toBe("decide");
  },
);

it("the agents that fire an event are found from the event", () => {
  expect(agentsFiring("turn_start")).toEqual(["pi", "seam"]);
  expect(agentsFiring("context")).toEqual(["seam"]);
  expect(agentsFiring("session_start")).toEqual([...AGENT_NAMES]);
  expect(agentsFiring("goal_updated")).toEqual(["seam"]);
});

it("what is told and what is decided comes from the tables of the agents", () => {
  expect(firing("claude-code", "tool_result")).toBe("decide");
  expect(firing("factoryai-droid", "tool_result")).toBe("observe");
  expect(firing("codex", "session_before_compact")).toBe("observe");
  expect(firing("pi", "session_before_compact")).toBe("decide");
  expect(firing("gemini", "session_before_compact")).toBeUndefined();
  expect(firing("cursor", "tool_admit")).toBe("decide");
});
