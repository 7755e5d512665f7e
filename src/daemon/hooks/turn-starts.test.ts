import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Reading } from "../../agents/index.ts";
import type { EventName } from "../../events/index.ts";
import { testDaemon, testPlace, until } from "../test-kit/setup.ts";
import { readToken } from "../token.ts";
import { TurnStarts } from "./turn-starts.ts";

const tool = (name: string): Reading => ({
  sessionId: "s",
  tools: [{ name, nativeName: name, input: {}, nativeInput: {}, callId: "1" }],
});

/** A turn whose start is recorded when `record` is called. */
function setUp(mostMs = 60_000) {
  let record = () => {};
  const overtaken: string[] = [];
  const recorded = () =>
    new Promise<void>((resolve) => {
      const before = record;
      record = () => {
        before();
        resolve();
      };
    });
  const starts = new TurnStarts({
    queue: { recorded, ahead: () => recorded() },
    overtaken: (hookId) => void overtaken.push(hookId),
    mostMs,
  });
  starts.begun("lane", { seq: 1, hookId: "prompt" });
  return { starts, overtaken, record: () => record() };
}

/** Whether something is over before anything else can happen. */
async function isOver(work: Promise<void>): Promise<boolean> {
  let over = false;
  void work.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}

test("a tool that only reads never waits for the snapshot", async () => {
  const { starts, overtaken } = setUp();
  for (const name of ["read", "grep", "find", "ls", "skill"]) {
    expect(await isOver(starts.reached("lane", ["tool_call"], tool(name)))).toBe(true);
  }
  expect(overtaken).toEqual([]);
});

test.each(["write", "edit", "bash", "subagent", "mcp__files__move"])(
  "the first call of %s waits until the start of the turn is recorded",
  async (name) => {
    const { starts, overtaken, record } = setUp();
    const waiting = starts.reached("lane", ["tool_call"], tool(name));
    expect(await isOver(waiting)).toBe(false);
    expect(await isOver(starts.reached("another", ["tool_call"], tool(name)))).toBe(true);
    record();
    await waiting;
    expect(await isOver(starts.reached("lane", ["tool_call"], tool(name)))).toBe(true);
    expect(overtaken).toEqual([]);
  },
);

test("it waits for so long and not longer, and then it is noted that the snapshot is late", async () => {
  const { starts, overtaken } = setUp(20);
  const both = ["bash", "write"].map((name) => starts.reached("lane", ["tool_call"], tool(name)));
  await Promise.all(both);
  expect(overtaken).toEqual(["prompt"]);
  expect(await isOver(starts.reached("lane", ["tool_call"], tool("bash")))).toBe(true);
});

test("a tool that is told of when it runs already waits for nothing, and the snapshot is late", async () => {
  const { starts, overtaken } = setUp();
  const events = ["tool_execution_start", "tool_execution_end"] as const;
  expect(await isOver(starts.reached("lane", events, tool("bash")))).toBe(true);
  expect(overtaken).toEqual(["prompt"]);
});

test("the prompt is answered first, the first write only when the prompt is recorded", async () => {
  const place = testPlace();
  let letGo = () => {};
  const recorded: string[] = [];
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const recorder = {
    accept: async ({ hook }: { hook: string }) => {
      if (hook === "prompt") await held;
      recorded.push(hook);
    },
    close: async () => {},
  };
  const daemon = await testDaemon(place, { recorder });
  const send = (hook: string, payload: object) =>
    fetch(`http://127.0.0.1:${daemon.port}/v1/hook?agent=aider&hook=${hook}`, {
      method: "POST",
      headers: { "x-seam-token": readToken(place.token) ?? "" },
      body: JSON.stringify({ session: "s", cwd: place.project, ...payload }),
    }).then((response) => response.text());
  await send("prompt", { prompt: "Go" });
  await send("before", { tool: "read" });
  let isAnswered = false;
  const write = send("before", { tool: "bash" }).then(() => {
    isAnswered = true;
  });
  await send("start", { session: "other" });
  expect([isAnswered, recorded.includes("prompt")]).toEqual([false, false]);
  letGo();
  await write;
  await until(() => recorded.includes("prompt"));
});

test("of an agent that hides prompts the first tool call begins a turn, ahead of its answer", async () => {
  const ahead: unknown[] = [];
  const starts = new TurnStarts({
    queue: {
      recorded: async () => {},
      ahead: async (record) => void ahead.push([record.seq, record.events]),
    },
    overtaken: () => {},
  });
  const hook = (seq: number, ...events: EventName[]) =>
    starts.untold("lane", { seq, id: `${seq}`, at: "", agent: "a", hook: "h", events });
  hook(1, "session_start");
  hook(2, "tool_call", "tool_execution_start");
  hook(3, "tool_call");
  hook(4, "agent_end");
  hook(5, "agent_start");
  hook(6, "tool_call");
  expect(ahead).toEqual([[1.5, ["tool_call"]]]);
});

test("a call that works in another repository waits until the record was there, others do not", async () => {
  const root = mkdtempSync(join(tmpdir(), "seam-visit-"));
  const [here, there] = [join(root, "here"), join(root, "there")];
  for (const folder of [here, there]) mkdirSync(join(folder, ".git"), { recursive: true });
  const { starts, record } = setUp();
  const calls = (command: string) => {
    const reading = { ...tool("bash"), cwd: here };
    const tools = (reading.tools ?? []).map((one) => ({ ...one, input: { command } }));
    const common = { seq: 2, id: "2", at: "", agent: "x", hook: "y", cwd: here };
    const visit = starts.visiting({
      ...common,
      events: ["tool_call"],
      reading: { ...reading, tools },
    });
    return visit?.() ?? Promise.resolve();
  };
  for (const command of ["git commit -m x", "echo x > a.txt 2>/dev/null", `cat ${there}/b.txt`]) {
    expect(await isOver(calls(command)), command).toBe(true);
  }
  for (const command of [`cd ../there && git commit -m x`, `git -C ${there} add .`]) {
    const waits = calls(command);
    expect(await isOver(waits), command).toBe(false);
    record();
    await waits;
  }
});
