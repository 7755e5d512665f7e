import { describe, expect, it } from "vitest";
import { payloadOf, readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";

const SESSION = "ses_e1f9f8790ffez2me7y2NrnS5VW";
const CHILD = "ses_e1f9f5fadffeJ0Fduct5QiEY8P";
const read = (name: string) => readingOf("opencode", name);
const { mapping } = hooks;

describe("what OpenCode says", () => {
  it("[opencode-quoted-prompt] a prompt, with the quotes it came with", () => {
    expect(read("chat.message")).toMatchObject({
      sessionId: SESSION,
      turnId: "msg_1e06079d1001ZMFIDgDloDvc0s",
      model: "mock-model",
      prompt: '"Please go. SCRIPT:ocfull"',
    });
  });

  it("a prompt without what OpenCode added to it", () => {
    const part = { type: "text", text: "hi", messageID: "m", sessionID: "s" };
    const parts = [part, { ...part, text: "added", synthetic: true }, { type: "file" }, part];
    const payload = { input: { sessionID: "s" }, output: { parts } };
    expect(hooks.read("chat.message", payload)?.prompt).toBe("hi\nhi");
    const none = { input: { sessionID: "s" }, output: { parts: [{ type: "file" }] } };
    expect(hooks.read("chat.message", none)?.prompt).toBeUndefined();
  });

  it("a session's start, with its folder", () => {
    expect(read("event.session.created")).toMatchObject({
      sessionId: SESSION,
      cwd: "/home/dev/app",
      start: { reason: "startup" },
    });
  });

  it.each([
    ["bash", "call_mock_148_0", "bash", { command: "echo hi", description: "say hi" }],
    ["write", "call_mock_148_1", "write", { path: "/home/dev/app/out.txt", content: "hello\n" }],
    [
      "edit",
      "call_mock_155_0",
      "edit",
      { path: "/home/dev/app/out.txt", edits: [{ oldText: "hello", newText: "bye" }] },
    ],
    [
      "task",
      "call_mock_150_0",
      "subagent",
      { agent: "helper", task: "Do it. SCRIPT:ocsub", description: "sub work" },
    ],
    ["skill", "call_mock_149_0", "skill", { name: "greet" }],
  ])("a call of %s", (nativeName, callId, name, input) => {
    expect(read(`tool.execute.before.${nativeName}`)?.tools).toMatchObject([
      { nativeName, callId, name, input },
    ]);
  });

  it("a skill", () => {
    expect(read("tool.execute.before.skill")?.skill).toMatchObject({
      id: "opencode-skill-call_mock_149_0",
      skill: { name: "greet" },
      source: { agent: "opencode", signal: "skill_tool_use" },
    });
  });

  it("[opencode-no-failure-hook] a tool that failed, from its part of the message", () => {
    expect(read("event.message.part.updated.tool.read.error")?.tools).toMatchObject([
      {
        name: "read",
        callId: "call_mock_154_0",
        input: { path: "/home/dev/app/nope.txt" },
        result: { isError: true, content: [{ text: "File not found: /home/dev/app/nope.txt" }] },
      },
    ]);
    const skips = (name: string) =>
      mapping["event.message.part.updated"]?.skip?.(payloadOf("opencode", name));
    expect(skips("event.message.part.updated.tool.read.error")).toBe(false);
    expect(skips("event.message.part.updated.tool.bash.completed")).toBe(true);
    expect(skips("event.message.part.updated.text")).toBe(true);
  });

  it("[opencode-failed-command] a command that failed", () => {
    const payload = payloadOf("opencode", "tool.execute.after.bash");
    const output = { output: "boom", metadata: { exit: 3 } };
    const failed = hooks.read("tool.execute.after", { ...payload, output })?.tools?.[0];
    expect(failed?.result?.isError).toBe(true);
    expect(read("tool.execute.after.bash")?.tools?.[0]?.result?.isError).toBe(false);
  });

  it("[opencode-nameless-dispose] an end is told for a session", () => {
    expect(hooks.read("dispose", { input: {} })).toBeUndefined();
    expect(hooks.read("dispose", { input: {}, sessionID: SESSION })).toEqual({
      sessionId: SESSION,
      end: { reason: "quit" },
    });
  });

  it("[opencode-child-sessions] what a subagent does is the parent session's, and marked", () => {
    const inside = { rootSessionID: SESSION, childSessionID: CHILD };
    const call = {
      ...inside,
      input: { tool: "bash", sessionID: CHILD, callID: "c" },
      output: { args: { command: "ls" } },
    };
    expect(hooks.read("tool.execute.before", call)).toMatchObject({
      sessionId: SESSION,
      inSubagent: { id: CHILD },
    });
    expect(mapping["tool.execute.before"]?.skip).toBeUndefined();
    for (const hook of ["chat.message", "event.session.idle", "event.session.created"]) {
      expect(mapping[hook]?.skip?.({ ...inside, input: { sessionID: CHILD } })).toBe(true);
      expect(mapping[hook]?.skip?.({ input: { sessionID: SESSION } })).toBe(false);
    }
    const created = payloadOf("opencode", "event.session.created");
    const child = { input: { properties: { info: { id: CHILD, parentID: SESSION } } } };
    expect(mapping["event.session.created"]?.skip?.({ ...created, ...child })).toBe(true);
  });
});

it.each([
  ["tool.execute.before", { block: { reason: "no" } }, { error: "no" }],
  ["tool.execute.before", { input: { command: "ls" } }, { args: { command: "ls" } }],
  [
    "tool.execute.after",
    { result: { content: [{ type: "text" as const, text: "***" }], isError: false } },
    { output: "***" },
  ],
  [
    "chat.message",
    { prompt: { text: "other" }, context: "more" },
    { text: "other", context: "more" },
  ],
])("%s is told %o", (hook, told, answer) => {
  expect(said("opencode", hook, told, {})).toEqual(answer);
});

it("[opencode-prompt-error] a prompt can be stopped", () => {
  expect(said("opencode", "chat.message", { prompt: { blocked: "no" } }, {})).toEqual({
    error: "no",
  });
});

it("[opencode-permission-ask] permission.ask is not used", () => {
  expect(mapping).not.toHaveProperty("permission.ask");
});
