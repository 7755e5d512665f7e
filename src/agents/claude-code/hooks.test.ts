import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventsFor } from "../hooks/events-for.ts";
import { lifecycleEvent } from "../hooks/lifecycle-event.ts";
import { payloadOf, readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";
import { installer } from "./install.ts";

const SESSION = "80c20021-4924-4bae-af22-1df766918649";
const read = (name: string) => readingOf("claude-code", name);
const { mapping } = hooks;

describe("what Claude Code says", () => {
  it("names session, folder, transcript and turn", () => {
    expect(read("UserPromptSubmit")).toEqual({
      sessionId: SESSION,
      cwd: "/home/dev/app",
      transcriptPath: `/home/dev/.claude/projects/-home-dev-app/${SESSION}.jsonl`,
      turnId: "5585c804-88bc-4e5b-a60d-ec36ae5d2cf2",
      prompt: "Please go. SCRIPT:full",
      metadata: { permission_mode: expect.any(String) },
    });
  });

  it("does not take the end of a task for what a person said [claude-task-notification]", () => {
    const prompt = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
    const payload = { ...payloadOf("claude-code", "UserPromptSubmit"), prompt };
    const reading = hooks.read("UserPromptSubmit", payload);
    expect(reading).toMatchObject({ sessionId: SESSION, unasked: true });
    const row = mapping.UserPromptSubmit;
    if (!row || !reading) throw new Error("There is no such hook.");
    expect(reading).not.toHaveProperty("prompt");
    expect(eventsFor(row, reading).map(({ type }) => type)).toEqual(["agent_start"]);
  });

  it.each([
    ["SessionStart.startup", "startup"],
    ["SessionStart.resume", "resume"],
    ["SessionStart.clear", "new"],
  ])("%s starts with %s", (name, reason) => {
    expect(read(name)?.start).toEqual({ reason });
  });

  it.each([
    ["SessionEnd.clear", "new"],
    ["SessionEnd.other", "quit"],
    ["SessionEnd.prompt_input_exit", "quit"],
  ])("%s ends with %s", (name, reason) => {
    expect(read(name)?.end).toEqual({ reason });
  });

  it.each([
    ["Bash", "toolu_mock_1_1", "bash", { command: "echo hi", description: "say hi" }],
    ["Write", "toolu_mock_1_2", "write", { path: "/home/dev/app/out.txt", content: "hello\n" }],
    ["Read", "toolu_mock_7_0", "read", { path: "/home/dev/app/out.txt" }],
    [
      "Edit",
      "toolu_mock_8_0",
      "edit",
      {
        path: "/home/dev/app/out.txt",
        edits: [{ oldText: "hello", newText: "bye" }],
        replace_all: false,
      },
    ],
    [
      "Agent",
      "toolu_mock_3_0",
      "subagent",
      { agent: "helper", task: "Do it. SCRIPT:sub", description: "sub work" },
    ],
    ["Skill", "toolu_mock_2_0", "skill", { name: "greet", args: "Bob" }],
  ])("a call of %s", (nativeName, callId, name, input) => {
    expect(read(`PreToolUse.${nativeName}`)?.tools).toMatchObject([
      { nativeName, callId, name, input },
    ]);
  });

  it.each([
    ["PostToolUse.Bash", false, "hi"],
    ["PostToolUse.Read", false, "hello\n"],
    ["PostToolUse.Agent", false, "Sub finished."],
    ["PostToolUseFailure.Bash", true, "Exit code 3"],
  ])("the result of %s", (name, isError, text) => {
    const [tool] = read(name)?.tools ?? [];
    expect(tool?.result).toMatchObject({ isError, content: [{ type: "text", text }] });
  });

  it("a skill the model uses", () => {
    expect(read("PreToolUse.Skill")?.skill).toEqual({
      id: "claude-skill-toolu_mock_2_0",
      event_type: "tool_invocation",
      skill: { name: "greet" },
      source: { agent: "claude-code", signal: "skill_tool_use", confidence: "explicit" },
      native: { tool_name: "Skill", tool_use_id: "toolu_mock_2_0" },
      collapse: { target: "tool_pair", label: "Skill: greet", default_collapsed: true },
    });
    expect(read("PreToolUse.Read")?.skill).toBeUndefined();
  });

  it("[claude-typed-skill] a skill the user types", () => {
    expect(mapping.UserPromptExpansion?.events).toEqual(["skill_invoked"]);
    expect(read("UserPromptExpansion")?.skill).toEqual({
      id: "claude-skill-greet-d632ecda-97df-4c95-9c32-974525a44a4f",
      event_type: "prompt_invocation",
      skill: { name: "greet" },
      source: { agent: "claude-code", signal: "input_slash_command", confidence: "explicit" },
      native: { command: "/greet" },
      collapse: { target: "user_message", label: "/greet", default_collapsed: true },
    });
    const other = { ...payloadOf("claude-code", "UserPromptExpansion"), expansion_type: "mcp" };
    expect(hooks.read("UserPromptExpansion", other)?.skill).toBeUndefined();
  });

  it("[claude-command-no-skill] no skill in a command of the user's own", () => {
    const root = mkdtempSync(join(tmpdir(), "seam-claude-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const put = (path: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "Do it.\n");
    };
    put("app/.claude/commands/fix.md");
    put("app/.claude/commands/ops/deploy.md");
    put("app/.claude/commands/both.md");
    put("app/.claude/skills/both/SKILL.md");
    put("app/deep/.claude");
    put("config/commands/mine.md");
    put("config/skills/greet/SKILL.md");
    const skillOf = (command_name: string) =>
      hooks.read("UserPromptExpansion", {
        ...payloadOf("claude-code", "UserPromptExpansion"),
        cwd: join(root, "app/deep/inside"),
        transcript_path: join(root, "config/projects/-app/s.jsonl"),
        command_name,
      })?.skill?.skill.name;
    for (const name of ["fix", "ops:deploy", "mine"]) expect(skillOf(name)).toBeUndefined();
    for (const name of ["both", "greet", "of-a-plugin", "../commands/fix", "a:..:b", "\0", ""]) {
      expect(skillOf(name)).toBe(name === "" ? undefined : name);
    }
  });

  it("a subagent's start and end", () => {
    const subagent = { id: "a2ea1ec715da147a3", type: "helper" };
    expect(read("SubagentStart")).toMatchObject({ sessionId: SESSION, subagent });
    expect(read("SubagentStart")?.inSubagent).toBeUndefined();
    expect(read("SubagentStop")?.subagent).toEqual({
      ...subagent,
      transcriptPath: `/home/dev/.claude/projects/-home-dev-app/${SESSION}/subagents/agent-a2ea1ec715da147a3.jsonl`,
      lastMessage: "Sub finished.",
    });
  });

  it("[claude-parent-ids] what a subagent does is the parent session's, and marked", () => {
    expect(read("PreToolUse.Bash.subagent")).toMatchObject({
      sessionId: SESSION,
      inSubagent: { id: "a2ea1ec715da147a3", type: "helper" },
    });
  });

  it("a compaction", () => {
    expect(read("PreCompact")?.compaction).toEqual({ trigger: "manual" });
    expect(read("SessionStart.compact")).toMatchObject({ compaction: {} });
    expect(read("SessionStart.compact")?.start).toBeUndefined();
    expect(read("SessionStart.resume")?.compaction).toBeUndefined();
  });

  it("a notice, though no event comes of it", () => {
    expect(read("Notification.permission_prompt")?.notice).toEqual({
      kind: "permission_prompt",
      text: "Claude needs your permission",
      asks: true,
    });
  });
});

describe("what Claude Code is told", () => {
  const bash = payloadOf("claude-code", "PostToolUse.Bash");
  const tell = (hook: string, told: Parameters<typeof hooks.answer>[1], payload = bash) =>
    said("claude-code", hook, told, payload);
  const specific = (hookEventName: string, fields: object) => ({
    hookSpecificOutput: { hookEventName, ...fields },
  });

  it("a refusal", () => {
    expect(tell("PreToolUse", { block: { reason: "no" } })).toEqual(
      specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "no" }),
    );
  });

  it("a changed input, without allowing it", () => {
    expect(tell("PreToolUse", { input: { command: "ls" }, context: "more" })).toEqual(
      specific("PreToolUse", { updatedInput: { command: "ls" }, additionalContext: "more" }),
    );
  });

  it("a stopped prompt, a stop that goes on, a compaction that does not happen", () => {
    expect(tell("UserPromptSubmit", { prompt: { blocked: "no" } })).toEqual({
      decision: "block",
      reason: "no",
    });
    expect(tell("Stop", { goOn: "test it" })).toEqual({ decision: "block", reason: "test it" });
    expect(tell("PreCompact", { cancel: { reason: "no" } })).toEqual({
      decision: "block",
      reason: "no",
    });
  });

  it("[claude-output-shape] another result, in the shape the tool has", () => {
    const result = { content: [{ type: "text" as const, text: "***" }], isError: false };
    expect(tell("PostToolUse", { result })).toEqual(
      specific("PostToolUse", {
        updatedToolOutput: {
          stdout: "***",
          stderr: "",
          interrupted: false,
          isImage: false,
          noOutputExpected: false,
        },
      }),
    );
    const read = payloadOf("claude-code", "PostToolUse.Read");
    expect(tell("PostToolUse", { result }, read)).toMatchObject({
      hookSpecificOutput: {
        updatedToolOutput: { type: "text", file: { content: "***", numLines: 2 } },
      },
    });
    const write = payloadOf("claude-code", "PostToolUse.Write");
    expect(tell("PostToolUse", { result }, write)).toBeUndefined();
  });
});

describe("what means nothing", () => {
  const skips = (hook: string, payload: object) => mapping[hook]?.skip?.({ ...payload });

  it("[claude-spurious-subagent-stop] a subagent without a type that stops", () => {
    const stop = payloadOf("claude-code", "SubagentStop");
    expect(skips("SubagentStop", stop)).toBe(false);
    expect(skips("SubagentStop", { ...stop, agent_type: "" })).toBe(true);
  });
});

it("[claude-worktree-create] WorktreeCreate is not used", () => {
  expect(mapping).not.toHaveProperty("WorktreeCreate");
});

it("[claude-stop-failure] a turn also ends when the model could not be reached", () => {
  expect(mapping.StopFailure?.events).toEqual(mapping.Stop?.events);
});

const firedBy = (name: string) => {
  const [hook = ""] = name.split(".");
  const payload = payloadOf("claude-code", name);
  const reading = hooks.read(hook, payload);
  const row = mapping[hook];
  return row && reading ? eventsFor(row, reading).map(({ type }) => type) : [];
};

it("[claude-compact-start] a start after a compaction is the compaction, and no start", () => {
  expect(firedBy("SessionStart.compact")).toEqual(["session_compact"]);
  for (const start of ["startup", "resume", "clear"]) {
    expect(firedBy(`SessionStart.${start}`)).toEqual(["session_start"]);
  }
  const told = (source: string) =>
    lifecycleEvent({ hooks: { ...hooks, installer } }, "SessionStart", {
      ...payloadOf("claude-code", "SessionStart.startup"),
      source,
    })?.type;
  expect([told("compact"), told("startup")]).toEqual(["compaction", "session_start"]);
});

it("[claude-void-pre-compact] what may not happen is not told as if it had", () => {
  expect(firedBy("PreCompact")).toEqual(["session_before_compact"]);
});

it("[claude-compact-prints-hooks] no hook of Seam's runs at a /compact", () => {
  const home = mkdtempSync(join(tmpdir(), "claude-hooks-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const place = { env: {}, home, project: join(home, "app") };
  const plan = {
    level: "user" as const,
    place,
    command: (hook: string) => `seam ${hook} # agentseam`,
    server: [],
  };
  const [file] = installer.install(plan);
  const { hooks: written } = JSON.parse(String(file?.after));
  expect(written).not.toHaveProperty("PostCompact");
  expect(written.PreCompact).toMatchObject([{ matcher: "auto" }]);
});
