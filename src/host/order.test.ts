import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SeamEvent } from "../events/index.ts";
import { hosted, SCENARIOS, stage, testProject } from "./test-kit/index.ts";

const project = testProject();

function nameOf(event: SeamEvent): string {
  const isMessage = event.type === "message_start" || event.type === "message_end";
  return isMessage ? `${event.type}:${event.message.role}` : event.type;
}

const MODEL_CALL = [
  "context",
  "context_with_system",
  "before_provider_headers",
  "before_provider_request",
  "after_provider_response",
  "provider_stream_event",
];
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
    "agent_before_settle",
    "session_stop",
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

describe("what comes next waits for those who observe a boundary", () => {
  test("an extension that copies a file at tool_execution_start has it as it was", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "seam-order-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const [file, copy] = [join(cwd, "a.txt"), join(cwd, "copy.txt")];
    writeFileSync(file, "before");
    const { agent } = await hosted({
      cwd,
      turns: [
        { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "after" } }] },
        { text: "Done." },
      ],
      on: {
        tool_execution_start: async () => {
          await sleep(30);
          copyFileSync(file, copy);
        },
      },
    });
    await agent.prompt("go");
    expect(readFileSync(file, "utf8")).toBe("after");
    expect(readFileSync(copy, "utf8")).toBe("before");
  });

  test.each([
    "agent_start",
    "turn_start",
    "message_start",
    "tool_execution_start",
    "tool_execution_end",
    "turn_end",
    "agent_end",
  ] as const)("%s", async (name) => {
    const told: string[] = [];
    const host = await stage(SCENARIOS.tool_call, project, {
      on: {
        [name]: async () => {
          told.push("begins");
          await sleep(5);
          told.push("ends");
        },
      },
    });
    host.agent.subscribe(({ type }) => void told.push(type));
    await SCENARIOS.tool_call.act(host);
    const begins = told.flatMap((line, at) => (line === "begins" ? [told[at + 1]] : []));
    expect(begins.length).toBeGreaterThan(0);
    expect(new Set(begins)).toEqual(new Set(["ends"]));
  });

  test("the pieces of an answer are delivered before its end, one after the other", async () => {
    const told: string[] = [];
    const { agent } = await hosted({
      turns: [{ text: "one two three four" }],
      on: {
        message_update: async ({ assistantMessageEvent: { type } }) => {
          await sleep(2);
          told.push(type);
        },
        message_end: ({ message }) => void told.push(`end of ${message.role}`),
      },
    });
    await agent.prompt("go");
    expect(told.slice(0, 2)).toEqual(["end of user", "text_start"]);
    expect(told.at(-1)).toBe("end of assistant");
    expect(told).toContain("text_end");
  });

  test("an extension that hangs in a piece of an answer is waited for within a bound", async () => {
    const { agent, of } = await hosted({
      turns: [{ toolCalls: [{ name: "bash", arguments: { command: "true" } }] }, { text: "Done." }],
      on: { message_update: () => new Promise(() => {}), turn_end: () => {} },
    });
    const startedAt = performance.now();
    await agent.prompt("go");
    // Far below the deadline of the handler: the bound was kept, and only once.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(of("agent_end")).toHaveLength(1);
  });

  test("an abort does not wait for them", async () => {
    let hangs = false;
    const { agent } = await hosted({
      turns: [{ text: "Done." }],
      on: {
        turn_start: () => {
          hangs = true;
          return new Promise(() => {});
        },
      },
    });
    const done = agent.prompt("go");
    while (!hangs) await sleep(1);
    await agent.abort();
    await done;
    expect(agent.isIdle).toBe(true);
  });
});
