import { describe, expect, it } from "vitest";
import { readingOf, said } from "../hooks/test-kit/payloads.ts";
import { hooks } from "./hooks.ts";

const read = (name: string) => readingOf("gemini", name);
const { mapping } = hooks;

describe("what Gemini says", () => {
  it("names session, folder, transcript and time", () => {
    expect(read("BeforeAgent")).toEqual({
      sessionId: "3bc8092b-e0dc-4948-8311-e962418946fb",
      cwd: "/home/dev/app",
      transcriptPath:
        "/home/dev/.gemini/tmp/webclient/chats/session-2026-11-15T17-54-3bc8092b.jsonl",
      prompt: "please say hi",
      at: "2026-11-15T17:54:59.642Z",
    });
  });

  it("[gemini-resume-path] a resumed session's transcript is not the one it starts with", () => {
    expect(read("SessionStart.resume")?.start).toEqual({ reason: "resume" });
    expect(read("SessionStart.resume")?.transcriptPath).toBeUndefined();
    expect(read("SessionStart")?.transcriptPath).toContain("session-2026-11-15T17-54");
    expect(read("SessionStart.clear")?.start).toEqual({ reason: "new" });
  });

  it("a call and its result", () => {
    expect(read("BeforeTool.write_file")?.tools).toMatchObject([
      { name: "write", nativeName: "write_file", input: { path: "hello.txt", content: "hello\n" } },
    ]);
    const [tool] = read("AfterTool.write_file")?.tools ?? [];
    expect(tool?.result?.content).toMatchObject([{ text: expect.stringContaining("hello.txt") }]);
    expect(tool?.result?.isError).toBe(false);
  });

  it("a call that failed", () => {
    const payload = {
      session_id: "s",
      tool_name: "read_file",
      tool_input: { file_path: "x" },
      tool_response: { llmContent: "File not found", error: { message: "File not found" } },
    };
    const [tool] = hooks.read("AfterTool", payload)?.tools ?? [];
    expect(tool?.result).toMatchObject({ isError: true, content: [{ text: "File not found" }] });
  });

  it("[gemini-failed-command] a command that failed", () => {
    const failed = (name: string) => read(name)?.tools?.[0]?.result?.isError;
    expect(failed("AfterTool.run_shell_command.failed")).toBe(true);
    expect(failed("AfterTool.run_shell_command")).toBe(false);
  });

  it("[gemini-subagent-as-tool] a subagent is the call that starts it", () => {
    expect(read("BeforeTool.invoke_agent")?.subagent).toMatchObject({
      type: "generalist",
      task: "run echo sub",
    });
    expect(read("AfterTool.invoke_agent")?.subagent?.lastMessage).toContain("finished.");
    expect(read("BeforeTool.write_file")?.subagent).toBeUndefined();
  });

  it("a skill, without an id, for Gemini gives the call none", () => {
    expect(read("BeforeTool.activate_skill")?.skill).toEqual({
      event_type: "tool_invocation",
      skill: { name: "greet" },
      source: { agent: "gemini", signal: "skill_tool_use", confidence: "explicit" },
      native: { tool_name: "activate_skill" },
      collapse: { target: "tool_pair", label: "Skill: greet", default_collapsed: true },
    });
  });

  it("a stop", () => {
    expect(read("AfterAgent")).toMatchObject({ lastMessage: expect.stringMatching(/All done\.$/) });
    expect(read("AfterAgent.stop_hook_active")?.continued).toBe(true);
  });
});

describe("what Gemini is told", () => {
  it.each([
    ["BeforeTool", { block: { reason: "no" } }, { decision: "deny", reason: "no" }],
    ["BeforeAgent", { prompt: { blocked: "no" } }, { decision: "deny", reason: "no" }],
    ["AfterAgent", { goOn: "test it" }, { decision: "deny", reason: "test it" }],
    [
      "BeforeTool",
      { input: { command: "ls" } },
      { hookSpecificOutput: { tool_input: { command: "ls" } } },
    ],
    [
      "AfterTool",
      { result: { content: [{ type: "text" as const, text: "***" }], isError: false } },
      { decision: "deny", reason: "***" },
    ],
    [
      "BeforeAgent",
      { context: "more" },
      { hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "more" } },
    ],
  ])("%s %o", (hook, told, answer) => {
    expect(said("gemini", hook, told, {})).toEqual(answer);
  });
});

it("[gemini-replaced-is-all] a new result has in it what else is to be known", () => {
  const result = { content: [{ type: "text" as const, text: "***" }], isError: false };
  expect(said("gemini", "AfterTool", { result, context: "more" }, {})).toMatchObject({
    decision: "deny",
    reason: "***\n\nmore",
  });
});

it("[gemini-pre-compress] PreCompress is not used, and Gemini tells of no compaction", () => {
  expect(mapping).not.toHaveProperty("PreCompress");
  const told = Object.values(mapping).flatMap(({ events }) => events);
  expect(told.filter((event) => event.includes("compact"))).toEqual([]);
});

it("[gemini-session-end-repeats] a second SessionEnd is known to be a repetition", () => {
  expect(mapping.SessionEnd?.repeats).toBe(true);
});
