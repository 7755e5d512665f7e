import { describe, expect, it } from "vitest";
import { declarationOf } from "../events/index.ts";
import {
  AGENT_EVENTS,
  type AgentEventName,
  type Handlers,
  type Hosted,
  never,
  returns,
  SCENARIOS,
  stage,
  storedMessages,
  testProject,
  until,
} from "./test-kit/index.ts";

const project = testProject();
const MORE = { text: "Still here" };

/** Plays the scenario of an event, then goes on talking. */
async function play(name: AgentEventName, on: Handlers): Promise<Hosted> {
  const scenario = SCENARIOS[name];
  const { turns = [] } = scenario.options;
  const deadlines = { [name]: 50 };
  const staged = stage(scenario, project, { on, deadlines, turns: [...turns, MORE] });
  const host = await returns("createAgent", staged);
  await returns("the scenario", scenario.act(host));
  await returns("another prompt", host.agent.prompt("Are you there?"));
  return host;
}

const rolesIn = ({ agent }: Hosted) => storedMessages(agent).map(({ role }) => role);

describe.each(AGENT_EVENTS)("a handler of %s that never returns", (name) => {
  it("keeps nobody from working, and the session holds the same messages as without it", async () => {
    let called = 0;
    const hang = () => {
      called++;
      return never<undefined>();
    };
    const usual = await play(name, {});
    const host = await play(name, { [name]: hang });
    expect(called).toBeGreaterThan(0);
    // Whom this event asks is asked again for the last prompt; that is no message of its own.
    expect(rolesIn(host)).toEqual(rolesIn(usual));
    await returns("abort", host.agent.abort());
    expect(host.agent.isIdle).toBe(true);
  });
});

const ASKED_IN_A_TURN: AgentEventName[] = [
  "before_agent_start",
  "context",
  "before_provider_request",
  "message_end",
  "tool_call",
  "tool_admit",
  "tool_result",
  "session_before_compact",
  "session.compacting",
];

describe.each(ASKED_IN_A_TURN)("an abort while a handler of %s hangs", (name) => {
  it("comes back without waiting for the handler's deadline", async () => {
    expect(declarationOf(name).kind).not.toBe("observe");
    let called = false;
    const hang = () => {
      called = true;
      return never<undefined>();
    };
    const scenario = SCENARIOS[name];
    const host = await stage(scenario, project, { on: { [name]: hang } });
    const acting = scenario.act(host);
    await until(`${name} is asked`, () => called);
    await returns("abort", host.agent.abort());
    await returns("the work", acting);
    const { dispatcher } = host.agent.extensions;
    expect(dispatcher.report().filter(({ timeouts }) => timeouts > 0)).toEqual([]);
    expect(host.agent.isIdle).toBe(true);
  });
});
