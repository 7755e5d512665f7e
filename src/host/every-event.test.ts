import { expect, test } from "vitest";
import { payloadMismatch } from "../events/index.ts";
import { AGENT_EVENTS, SCENARIOS, stage, testProject } from "./test-kit/index.ts";

const project = testProject();

test("every event that agents fire has a scenario in which the host fires it", () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual([...AGENT_EVENTS].sort());
});

test.each(AGENT_EVENTS)("the host fires %s with the declared payload and its ids", async (name) => {
  const scenario = SCENARIOS[name];
  const host = await stage(scenario, project);
  const session = host.agent.session.getSessionId();
  await scenario.act(host);
  const fired = host.of(name);
  expect(fired.length).toBeGreaterThan(0);
  for (const event of fired) {
    expect(payloadMismatch(name, event)).toBeUndefined();
    expect(event.agent).toBe("seam");
  }
  const sessions = [session, host.agent.session.getSessionId()];
  expect(fired.filter(({ sessionId }) => !sessions.includes(sessionId ?? ""))).toEqual([]);
});

test("events of one turn carry its id, those of the next another", async () => {
  const host = await stage(SCENARIOS.session_compact, project);
  await SCENARIOS.session_compact.act(host);
  const ids = host.of("agent_start").map(({ turnId }) => turnId);
  expect(new Set(ids).size).toBe(2);
  expect(host.of("agent_settled").map(({ turnId }) => turnId)).toEqual(ids);
  expect(host.of("message_end").every(({ turnId }) => turnId && ids.includes(turnId))).toBe(true);
});
