import { expect, test } from "vitest";
import type { SeamEvent } from "../events/index.ts";
import { SCENARIOS, stage, testProject } from "./test-kit/index.ts";

const project = testProject();

function nameOf(event: SeamEvent): string {
  const isMessage = event.type === "message_start" || event.type === "message_end";
  return isMessage ? `${event.type}:${event.message.role}` : event.type;
}

const MODEL_CALL = ["context", "before_provider_request", "after_provider_response"];
const message = (role: string) => [`message_start:${role}`, `message_end:${role}`];
const ANSWER = ["message_start:assistant", "message_update", "message_end:assistant"];

test("a prompt with one tool call fires its events in Pi's order", async () => {
  const scenario = SCENARIOS.tool_call;
  const host = await stage(scenario, project);
  await scenario.act(host);
  const names = host.seen.map(nameOf);
  // Pieces of one answer: how many there are is the model's business.
  const order = names.filter((name, at) => name !== "message_update" || names[at - 1] !== name);
  expect(order).toEqual([
    "session_start",
    "resources_discover",
    "input",
    "before_agent_start",
    "agent_start",
    "turn_start",
    ...message("user"),
    ...MODEL_CALL,
    ...ANSWER,
    "tool_execution_start",
    "tool_call",
    "tool_admit",
    "tool_execution_update",
    "tool_result",
    "tool_execution_end",
    "message_start:toolResult",
    "message_end:toolResult",
    "before_tool_call_persist",
    "after_tool_call_persist",
    "turn_end",
    "turn_start",
    ...MODEL_CALL,
    ...ANSWER,
    "turn_end",
    "agent_end",
    "agent_settled",
  ]);
});

test("a session that takes another's place: asked, ended, begun, announced", async () => {
  const host = await stage(SCENARIOS.session_switch, project);
  await SCENARIOS.session_switch.act(host);
  await host.agent.extensions.dispatcher.settled();
  const names = host.seen.map(({ type }) => type);
  expect(names.slice(names.indexOf("agent_settled") + 1)).toEqual([
    "session_before_switch",
    "session_shutdown",
    "session_start",
    "resources_discover",
    "session_switch",
  ]);
});

test("a fork is asked for under both names and announced under both", async () => {
  const host = await stage(SCENARIOS.session_branch, project);
  await SCENARIOS.session_branch.act(host);
  const names = host.seen.map(({ type }) => type);
  expect(names.slice(names.indexOf("agent_settled") + 1)).toEqual([
    "session_before_fork",
    "session_before_branch",
    "session_shutdown",
    "session_start",
    "resources_discover",
    "session_switch",
    "session_branch",
  ]);
});

test("extension commands run before input and without it", async () => {
  const ran: string[] = [];
  const host = await stage(SCENARIOS.input, project, {
    extend: (pi) => pi.registerCommand("hi", { handler: (args) => void ran.push(args) }),
  });
  await host.agent.prompt("/hi there");
  expect(ran).toEqual(["there"]);
  expect(host.of("input")).toEqual([]);
  expect(host.requests).toEqual([]);
});
