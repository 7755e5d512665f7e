import { describe, expect, it } from "vitest";
import { payloadOf, readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";

const PARENT = "01a1e068-0c5d-73a1-a19a-c613e63293bb";
const CHILD = "01a1e068-0fc2-7df3-9e9f-2bc2039e775e";
const read = (name: string) => readingOf("codex", name);
const { mapping } = hooks;

describe("what Codex says", () => {
  it("names session, turn and model", () => {
    expect(read("UserPromptSubmit")).toMatchObject({
      sessionId: "01a1e05c-c3e8-78e1-9f96-d1e5fb5d8a3f",
      turnId: "01a1e05c-c46e-7ea1-abf3-ff261206c9fe",
      model: "gpt-5.5",
      prompt: "please say hi",
    });
  });

  it.each([
    ["SessionStart", "startup"],
    ["SessionStart.resume", "resume"],
    ["SessionStart.clear", "new"],
  ])("%s starts with %s", (name, reason) => {
    expect(read(name)?.start).toEqual({ reason });
  });

  it("[codex-bash-name] a command", () => {
    const call = { callId: "call_mwi5292t2f", name: "bash", nativeName: "Bash" };
    expect(read("PreToolUse.Bash")?.tools).toMatchObject([
      { ...call, input: { command: "echo hi" } },
    ]);
    expect(read("PostToolUse.Bash")?.tools).toMatchObject([
      { ...call, result: { content: [{ text: "hi\n" }], isError: false } },
    ]);
  });

  it("[codex-patch-in-command] a patch of one new file", () => {
    expect(read("PreToolUse.apply_patch")?.tools).toMatchObject([
      {
        callId: "call_mwi529i92i",
        name: "write",
        nativeName: "apply_patch",
        input: { path: "hello.txt", content: "hello\n" },
      },
    ]);
  });

  it("a stop, and one after it was told to go on", () => {
    expect(read("Stop")).toMatchObject({ lastMessage: "All done." });
    expect(read("Stop")?.continued).toBeUndefined();
    expect(read("Stop.stop_hook_active")?.continued).toBe(true);
  });

  it("[codex-interrupt] an interruption is the end of a turn, by the user", () => {
    expect(mapping.Interrupt?.events).toEqual(mapping.Stop?.events);
    expect(read("Interrupt")?.aborted).toBe(true);
    expect(read("Stop")?.aborted).toBeUndefined();
  });

  it("[codex-child-transcript] a subagent's transcript and turn are its own", () => {
    const start = read("SubagentStart");
    expect(start).toMatchObject({ sessionId: PARENT, subagent: { id: CHILD, type: "default" } });
    expect(start?.subagent?.transcriptPath).toContain(CHILD);
    expect([start?.transcriptPath, start?.turnId]).toEqual([undefined, undefined]);
    const stop = read("SubagentStop");
    expect(stop?.transcriptPath).toContain(PARENT);
    expect(stop?.subagent?.transcriptPath).toContain(CHILD);
    expect(stop?.turnId).toBeUndefined();
    const inside = read("UserPromptSubmit.in-subagent");
    expect(inside).toMatchObject({ sessionId: PARENT, inSubagent: { id: CHILD } });
    expect(inside?.transcriptPath).toBeUndefined();
  });
});

describe("what Codex is told", () => {
  it("[codex-rewrite-allows] a changed input, which allows it", () => {
    expect(said("codex", "PreToolUse", { input: { command: "ls" } }, {})).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "ls" },
      },
    });
  });

  it("[codex-block-replaces] another result, as a refusal", () => {
    const result = { content: [{ type: "text" as const, text: "***" }], isError: false };
    expect(said("codex", "PostToolUse", { result }, {})).toEqual({
      decision: "block",
      reason: "***",
    });
  });

  it("[codex-empty-reason] never a refusal without a reason", () => {
    const empty = { content: [], isError: false };
    expect(said("codex", "PostToolUse", { result: empty }, {})).toEqual({
      decision: "block",
      reason: "(no output)",
    });
    expect(said("codex", "PreToolUse", { block: { reason: "" } }, {})).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Not allowed." },
    });
  });
});

it("[codex-subagent-prompt] what the model tells a subagent is no prompt of the user's", () => {
  const skips = (name: string) => mapping.UserPromptSubmit?.skip?.(payloadOf("codex", name));
  expect(skips("UserPromptSubmit.in-subagent")).toBe(true);
  expect(skips("UserPromptSubmit")).toBe(false);
});

it("[codex-compact-start] a start after a compaction means nothing", () => {
  const skips = (name: string) => mapping.SessionStart?.skip?.(payloadOf("codex", name));
  expect(skips("SessionStart.compact")).toBe(true);
  expect(skips("SessionStart")).toBe(false);
});
