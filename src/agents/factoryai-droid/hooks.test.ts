import { describe, expect, it } from "vitest";
import { payloadOf, readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";

const read = (name: string) => readingOf("factoryai-droid", name);
const { mapping } = hooks;

describe("what Droid says", () => {
  it("names session, folder and transcript", () => {
    expect(read("UserPromptSubmit")).toEqual({
      sessionId: "04a5de88-20ac-4371-97fd-d50fbd13fa7c",
      cwd: "/home/dev/app",
      transcriptPath:
        "/home/dev/.factory/sessions/-home-dev-app/04a5de88-20ac-4371-97fd-d50fbd13fa7c.jsonl",
      prompt: "please say hi",
      metadata: { permission_mode: expect.any(String) },
    });
    expect(read("SessionStart")?.start).toEqual({ reason: "startup" });
    expect(read("Stop.stop_hook_active")?.continued).toBe(true);
  });

  it("a call", () => {
    expect(read("PreToolUse.Create")?.tools).toMatchObject([
      {
        name: "write",
        nativeName: "Create",
        input: { path: "/home/dev/app/hello.txt", content: "hello\n" },
      },
    ]);
  });

  it("[droid-text-response] a result, and whether the command failed", () => {
    const payload = payloadOf("factoryai-droid", "PostToolUse.Execute");
    const result = (tool_response: string) =>
      hooks.read("PostToolUse", { ...payload, tool_response })?.tools?.[0]?.result;
    expect(result("hi\n\n\n[Process exited with code 0]")).toEqual({
      isError: false,
      content: [{ type: "text", text: "hi\n\n\n[Process exited with code 0]" }],
      native: "hi\n\n\n[Process exited with code 0]",
    });
    expect(result("[Process exited with code 127]")?.isError).toBe(true);
  });
});

describe("a subagent", () => {
  const PARENT = "b2021a3d-16ba-43c4-940a-0d596c7d767d";
  const CHILD = "9cf2f135-03ee-48f3-8258-cf454b0bd7c5";

  it("is the call that starts it", () => {
    const subagent = { type: "worker", task: "SUBTASK please" };
    expect(read("PreToolUse.Task")).toMatchObject({ sessionId: PARENT, subagent });
    expect(read("PostToolUse.Task")?.subagent).toMatchObject({
      ...subagent,
      id: CHILD,
      lastMessage: expect.stringMatching(/Sub done\.$/),
    });
    expect(read("PostToolUse.Create")?.subagent).toBeUndefined();
  });

  it("[droid-child-session] is a session whose start says who started it", () => {
    expect(read("SessionStart.subagent")).toMatchObject({ sessionId: CHILD, startedBy: PARENT });
    expect(read("SessionStart")?.startedBy).toBeUndefined();
  });
});

it("a skill the model uses", () => {
  expect(read("PreToolUse.Skill")?.skill).toMatchObject({
    skill: { name: "greet" },
    source: { agent: "factoryai-droid", signal: "skill_tool_use" },
    native: { tool_name: "Skill" },
  });
  expect(read("PostToolUse.Skill")?.skill).toBeUndefined();
});

it("[droid-failed-silently] a call ends with PostToolUse and with nothing else", () => {
  const ends = Object.entries(mapping).filter(([, row]) => row.events.includes("tool_result"));
  expect(ends.map(([hook]) => hook)).toEqual(["PostToolUse"]);
});

describe("what Droid is told", () => {
  it("[droid-decision-ignored] a refusal, without a decision at the top", () => {
    expect(said("factoryai-droid", "PreToolUse", { block: { reason: "no" } }, {})).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no",
      },
    });
    expect(said("factoryai-droid", "Stop", { goOn: "test it" }, {})).toEqual({
      decision: "block",
      reason: "test it",
    });
  });

  it("[droid-rewrite-allows] a changed input, which allows it", () => {
    expect(said("factoryai-droid", "PreToolUse", { input: { command: "ls" } }, {})).toMatchObject({
      hookSpecificOutput: { permissionDecision: "allow", updatedInput: { command: "ls" } },
    });
  });

  it("[droid-prompt-exit-2] a stopped prompt, by exit code", () => {
    const told = { prompt: { blocked: "no" }, context: "more" };
    expect(hooks.answer("UserPromptSubmit", told, {})).toEqual({
      stdout: "",
      stderr: "no",
      exitCode: 2,
    });
  });

  it("[droid-stderr-is-seen] nothing on stderr, unless a prompt is stopped", () => {
    const told = {
      block: { reason: "no" },
      context: "more",
      goOn: "on",
      message: "look",
      cancel: { reason: "no" },
    };
    for (const hook of Object.keys(mapping)) {
      expect(hooks.answer(hook, told, {}).stderr).toBeUndefined();
    }
  });

  it("[droid-keeps-results] no other result", () => {
    const result = { content: [{ type: "text" as const, text: "***" }], isError: false };
    expect(said("factoryai-droid", "PostToolUse", { result }, {})).toBeUndefined();
    expect(mapping.PostToolUse?.powers).toEqual(["add_context"]);
  });
});

it("[droid-exec-hides-prompts] a turn begins with UserPromptSubmit and with nothing else", () => {
  const begins = Object.entries(mapping).filter(([, row]) => row.events.includes("agent_start"));
  expect(begins.map(([hook]) => hook)).toEqual(["UserPromptSubmit"]);
});
