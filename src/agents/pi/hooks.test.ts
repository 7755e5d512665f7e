import { describe, expect, it } from "vitest";
import { payloadOf, readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";

const SESSION = "01a1e05c-bd84-7e3b-9a3b-d93fe47bb2b0";
const read = (name: string) => readingOf("pi", name);
const { mapping } = hooks;

describe("what Pi says", () => {
  it("[pi-no-session-id] the plugin adds whose session it is", () => {
    expect(read("input")).toMatchObject({
      sessionId: SESSION,
      cwd: "/home/dev/app",
      transcriptPath: expect.stringContaining(SESSION),
      model: "mock/mock-model",
      prompt: "Please go. SCRIPT:pifull",
    });
  });

  it("starts and ends", () => {
    expect(read("session_start.startup")?.start).toEqual({ reason: "startup" });
    expect(read("session_start.new")?.start).toEqual({ reason: "new" });
    expect(read("session_shutdown.quit")?.end).toEqual({ reason: "quit" });
    expect(read("session_shutdown.new")?.end).toEqual({ reason: "new" });
  });

  it.each([
    ["bash", "call_mock_93_0", { command: "echo hi" }],
    ["write", "call_mock_93_1", { path: "/home/dev/app/out.txt", content: "hello\n" }],
    ["read", "call_mock_94_0", { path: "/home/dev/app/.pi/skills/greet/SKILL.md" }],
    [
      "edit",
      "call_mock_96_0",
      { path: "/home/dev/app/out.txt", edits: [{ oldText: "hello", newText: "bye" }] },
    ],
  ])("a call of %s", (name, callId, input) => {
    expect(read(`tool_call.${name}`)?.tools).toMatchObject([
      { name, nativeName: name, callId, input },
    ]);
  });

  it("a result, and one that failed", () => {
    expect(read("tool_result.bash")?.tools?.[0]?.result).toMatchObject({
      isError: false,
      content: [{ type: "text", text: "hi\n" }],
    });
    expect(read("tool_result.bash.error")?.tools?.[0]?.result?.isError).toBe(true);
  });

  it("what was said last, and whether it was cut short", () => {
    expect(read("agent_end")?.lastMessage).toBe("All done, final answer.");
    expect(read("agent_end")?.aborted).toBeUndefined();
    const messages = [{ role: "assistant", content: [], stopReason: "aborted" }];
    const payload = { ...payloadOf("pi", "agent_end"), event: { messages } };
    expect(hooks.read("agent_end", payload)).toMatchObject({ aborted: true });
  });

  it("[pi-raw-skill] a skill the user types, with the time it was typed", () => {
    const typed = (text: string) =>
      hooks.read("input", {
        ...payloadOf("pi", "input"),
        event: { type: "input", text, source: "interactive" },
        at: "2026-05-25T12:34:56Z",
        n: 0,
      })?.skill;
    expect(typed("/skill:trigger-analysis now please")).toEqual({
      id: "pi-skill-trigger-analysis-2026-05-25T12:34:56Z-0",
      event_type: "prompt_invocation",
      skill: { name: "trigger-analysis" },
      source: { agent: "pi", signal: "input_slash_command", confidence: "explicit" },
      timestamp: "2026-05-25T12:34:56Z",
      native: { command: "/skill:trigger-analysis" },
      collapse: {
        target: "user_message",
        label: "/skill:trigger-analysis",
        default_collapsed: true,
      },
    });
    expect(typed("what does /skill:x do?")).toBeUndefined();
    expect(typed("/skill:")).toBeUndefined();
    expect(read("tool_call.read")?.skill).toBeUndefined();
  });
});

it.each([
  ["tool_call", { block: { reason: "no" } }, { block: true, reason: "no" }],
  ["tool_call", { input: { command: "ls" } }, { input: { command: "ls" } }],
  [
    "tool_result",
    { result: { content: [{ type: "text" as const, text: "***" }], isError: true } },
    { content: [{ type: "text", text: "***" }], isError: true },
  ],
  ["input", { prompt: { text: "other" } }, { action: "transform", text: "other" }],
  [
    "before_agent_start",
    { context: "more" },
    { message: { customType: "seam", content: "more", display: true } },
  ],
  ["agent_end", { goOn: "test it" }, { followUp: "test it" }],
  ["session_before_compact", { cancel: { reason: "no" } }, { cancel: true }],
])("%s is told %o", (hook, told, answer) => {
  expect(said("pi", hook, told, {})).toEqual(answer);
});

it("[pi-silent-handled] a stopped prompt says why where there is a screen", () => {
  const told = { prompt: { blocked: "not now" } };
  expect(said("pi", "input", told, {})).toEqual({ action: "handled", notify: "not now" });
});

it("[pi-starts-twice] a second session_start is known to be a repetition", () => {
  expect(mapping.session_start?.repeats).toBe(true);
});

it("[pi-streams] nothing is sent while the model speaks", () => {
  expect(mapping).not.toHaveProperty("message_update");
  expect(mapping).not.toHaveProperty("context");
});
