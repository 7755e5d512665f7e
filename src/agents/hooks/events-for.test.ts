import { describe, expect, it } from "vitest";
import { Dispatcher } from "../../dispatch/index.ts";
import type { EventName, SeamEvent } from "../../events/index.ts";
import { eventsFor } from "./events-for.ts";
import type { HookRow } from "./hook-support.ts";
import { HOOKS, type Hooked, payloadOf, readingOf } from "./test-kit/payloads.ts";

function eventsOf(agent: Hooked, hook: string, file: string): SeamEvent[] {
  const row = HOOKS[agent].mapping[hook];
  const reading = readingOf(agent, file);
  if (!row || !reading) throw new Error("not mapped");
  return eventsFor(row, reading, { agent, hook, payload: payloadOf(agent, file), entryId: "e1" });
}

const row = (...events: EventName[]): HookRow => ({ events, powers: [] });

describe("events of a hook", () => {
  it("before a tool runs", () => {
    const events = eventsOf("claude-code", "PreToolUse", "PreToolUse.Write");
    expect(events.map(({ type }) => type)).toEqual(["tool_call", "tool_execution_start"]);
    const call = {
      toolName: "write",
      nativeToolName: "Write",
      toolCallId: "toolu_mock_1_2",
      sessionId: "80c20021-4924-4bae-af22-1df766918649",
      turnId: "5585c804-88bc-4e5b-a60d-ec36ae5d2cf2",
      agent: "claude-code",
      nativeHook: "PreToolUse",
    };
    const input = { path: "/home/dev/app/out.txt", content: "hello\n" };
    expect(events).toMatchObject([
      { ...call, input },
      { ...call, args: input },
    ]);
  });

  it("after it ran", () => {
    const events = eventsOf("gemini", "AfterTool", "AfterTool.run_shell_command");
    const text = "<untrusted_context>\nOutput: hi\nProcess Group PGID: 10776\n</untrusted_context>";
    const content = [{ type: "text", text }];
    const call = { toolName: "bash", nativeToolName: "run_shell_command", madeUpToolCallId: true };
    const kept = {
      sessionKey: "3bc8092b-e0dc-4948-8311-e962418946fb",
      agentId: "gemini",
      messageId: "e1",
      toolInput: { command: "echo hi", description: "say hi" },
    };
    expect(events).toMatchObject([
      { type: "tool_result", ...call, content, isError: false },
      { type: "tool_execution_end", ...call, result: { content }, isError: false },
      { type: "before_tool_call_persist", ...call, ...kept },
      { type: "after_tool_call_persist", ...call, ...kept, toolResult: { content } },
    ]);
  });

  it("a prompt", () => {
    const events = eventsOf("codex", "UserPromptSubmit", "UserPromptSubmit");
    expect(events).toMatchObject([
      { type: "input", text: "please say hi", source: "interactive" },
      { type: "before_agent_start", prompt: "please say hi", systemPrompt: "" },
      { type: "agent_start", prompt: "please say hi" },
    ]);
  });

  it("a stop, with what was said last", () => {
    const events = eventsOf("claude-code", "Stop", "Stop");
    const content = [{ type: "text", text: "All done, final answer.\nSecond line." }];
    expect(events).toMatchObject([
      { type: "agent_end", messages: [{ role: "assistant", content, stopReason: "stop" }] },
      { type: "agent_settled", aborted: false },
    ]);
    expect(eventsOf("copilot-cli", "agentStop", "agentStop")[0]).toMatchObject({ messages: [] });
  });

  it("a subagent that is only a tool call is told from that", () => {
    const start = eventsOf("gemini", "BeforeTool", "BeforeTool.invoke_agent").at(-1);
    expect(start).toMatchObject({
      type: "subagent_start",
      subagentType: "generalist",
      taskDescription: "run echo sub",
      toolInput: { agent: "generalist", task: "run echo sub" },
    });
    const end = eventsOf("opencode", "tool.execute.after", "tool.execute.after.task").at(-1);
    expect(end).toMatchObject({
      type: "subagent_end",
      subagentId: "ses_e1f9f5fadffeJ0Fduct5QiEY8P",
      toolCallId: "call_mock_150_0",
      subagentType: "helper",
    });
  });

  it("what the agent says in the words of the vocabulary is passed on as it is", () => {
    const [compact] = eventsOf("pi", "session_before_compact", "session_before_compact");
    expect(compact).toMatchObject({
      preparation: { firstKeptEntryId: "d3a8e4d4", tokensBefore: 192 },
    });
    expect(eventsOf("pi", "turn_start", "turn_start")).toMatchObject([
      { type: "turn_start", turnIndex: 0, timestamp: 1794765536980 },
    ]);
    const [started] = eventsOf("pi", "session_start", "session_start.new");
    expect(started).toMatchObject({ previousSessionFile: expect.stringContaining("01a1e066") });
  });

  it("what the agent says and makes no sense is left out", () => {
    const wrong = {
      sessionId: "s",
      given: { event: "turn_start" as const, fields: { turnIndex: "0" } },
    };
    expect(eventsFor(row("turn_start"), wrong)).toEqual([]);
    const odd = {
      sessionId: "s",
      prompt: "hi",
      given: { event: "input" as const, fields: { text: 7, source: "nobody" } },
    };
    expect(eventsFor(row("input"), odd)).toEqual([
      { type: "input", sessionId: "s", text: "hi", source: "interactive" },
    ]);
  });

  it("what a reading does not say does not happen", () => {
    const all = Object.values(HOOKS["claude-code"].mapping).flatMap(({ events }) => events);
    const fired = eventsFor(row(...all), { sessionId: "s" }).map(({ type }) => type);
    for (const name of ["tool_call", "tool_result", "input", "skill_invoked", "subagent_start"]) {
      expect(fired).not.toContain(name);
    }
  });
});

describe("a patch of several files", () => {
  const command = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: .env\n*** End Patch\n";
  const payload = {
    session_id: "s",
    tool_name: "apply_patch",
    tool_use_id: "c1",
    tool_input: { command },
    tool_response: "Exit code: 1\nfailed",
  };

  it("is asked about once for each file, and told of once", () => {
    const { mapping, read } = HOOKS.codex;
    const fired = (hook: string) => {
      const reading = read(hook, payload);
      const hookRow = mapping[hook];
      if (!reading || !hookRow) throw new Error("not mapped");
      return eventsFor(hookRow, reading).map((event) => [
        event.type,
        "input" in event && "path" in event.input ? event.input.path : undefined,
      ]);
    };
    expect(fired("PreToolUse")).toEqual([
      ["tool_call", "a"],
      ["tool_call", ".env"],
      ["tool_execution_start", undefined],
    ]);
    expect(fired("PostToolUse").filter(([type]) => type === "tool_result")).toHaveLength(1);
  });

  it("has one id, and failed if it says so", () => {
    const tools = HOOKS.codex.read("PostToolUse", payload)?.tools ?? [];
    expect(tools.map(({ callId }) => callId)).toEqual(["c1", "c1"]);
    expect(tools.map(({ result }) => result?.isError)).toEqual([true, true]);
  });
});

it("the payload goes to every handler and is copied for none", async () => {
  const [event] = eventsOf("claude-code", "PreToolUse", "PreToolUse.Bash");
  if (event?.type !== "tool_call") throw new Error("no tool call");
  const dispatcher = new Dispatcher();
  const seen: unknown[] = [];
  for (const name of ["one", "two"]) {
    const owner = { name, path: name, critical: false, createContext: () => ({}) };
    dispatcher.on(owner, "tool_call", ({ native, input }: typeof event) => {
      seen.push(native);
      input.command = "changed";
    });
  }
  const decision = await dispatcher.emit(event);
  expect(seen).toEqual([event.native, event.native]);
  expect(seen.every((native) => native === event.native)).toBe(true);
  expect(decision.event.native).toBe(event.native);
});
