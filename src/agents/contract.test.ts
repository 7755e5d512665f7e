import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { payloadOf } from "./hooks/test-kit/payloads.ts";
import {
  AGENTS,
  type Agent,
  ALL_AGENTS,
  agentNamed,
  agentNames,
  agentOfType,
  agentsFiring,
  chunkTranscript,
  detectAll,
  firing,
  hookInput,
  lifecycleEvent,
  parseHookEvent,
  readHookInput,
  recogniseTranscript,
  registerAgent,
  tokenUsageFrom,
  totalTokens,
  withDetails,
} from "./index.ts";
import { fixture, fixtureContent, tempPlace } from "./transcripts/test-kit.ts";

function named(name: string): Agent {
  const agent = agentNamed(name);
  if (!agent) throw new Error(`there is no ${name}`);
  return agent;
}

type Recorded = Parameters<typeof payloadOf>[0];

const event = (agent: Recorded, hook: string, payload = hook) =>
  lifecycleEvent(named(agent), hook, payloadOf(agent, payload), new Date(0));

describe("a hook as a step in the life of a session", () => {
  it.each<[Recorded, string, string, string]>([
    ["claude-code", "SessionStart", "SessionStart.startup", "session_start"],
    ["claude-code", "UserPromptSubmit", "UserPromptSubmit", "turn_start"],
    ["claude-code", "Stop", "Stop", "turn_end"],
    ["claude-code", "PreCompact", "PreCompact", "compaction"],
    ["claude-code", "SessionEnd", "SessionEnd.other", "session_end"],
    ["claude-code", "SubagentStart", "SubagentStart", "subagent_start"],
    ["claude-code", "SubagentStop", "SubagentStop", "subagent_end"],
    ["gemini", "BeforeAgent", "BeforeAgent", "turn_start"],
    ["codex", "Stop", "Stop", "turn_end"],
  ])("%s %s (%s) is %s", (agent, hook, payload, type) => {
    expect(event(agent, hook, payload)?.type).toBe(type);
  });

  it("a call of a tool is none, unless it starts a subagent", () => {
    expect(event("claude-code", "PreToolUse", "PreToolUse.Bash")).toBeUndefined();
    expect(event("claude-code", "Whatever", "Stop")).toBeUndefined();
    expect(lifecycleEvent({}, "Stop", {})).toBeUndefined();
  });

  it("says where the session comes from, when it happened, and what else the agent says", () => {
    expect(event("pi", "session_start", "session_start.new")).toMatchObject({
      previousSessionId: "01a1e066-e601-7b80-afd4-024e11fe10a0",
      sessionId: "01a1e066-eff3-763c-b601-5fd3cd22c33f",
      timestamp: "1970-01-01T00:00:00.000Z",
    });
    expect(event("cursor", "sessionStart")?.metadata).toEqual({
      is_background_agent: "false",
      composer_mode: "agent",
    });
    expect(event("gemini", "SessionStart")?.timestamp).toMatch(/^2026-/);
  });

  it("says of a subagent by which call it was started, as what, and with which task", () => {
    const { hooks } = named("gemini");
    const started = Object.keys(hooks?.mapping ?? {}).find((hook) =>
      hooks?.mapping[hook]?.events.includes("subagent_start"),
    );
    const told = event("gemini", started ?? "", "BeforeTool.invoke_agent");
    expect(told).toMatchObject({ type: "subagent_start" });
    expect(told?.toolUseId).toBeDefined();
    expect(told?.toolInput).toBeDefined();
    expect(told?.taskDescription ?? told?.subagentType).toBeDefined();
  });
});

describe("what a hook says, in one shape", () => {
  it("has the call with its id, its input and its result as they came", () => {
    const payload = payloadOf("claude-code", "PostToolUse.Bash");
    expect(hookInput(named("claude-code"), "PostToolUse", payload)).toMatchObject({
      hookType: "PostToolUse",
      toolName: "Bash",
      toolUseId: payload.tool_use_id,
      toolInput: payload.tool_input,
      toolResponse: payload.tool_response,
      rawData: payload,
    });
    expect(hookInput(named("claude-code"), "PostToolUse", {})).toBeUndefined();
  });

  it("is read from a stream to its end", async () => {
    const text = Buffer.from('\uFEFF{"session_id":"s1","prompt":"grüß"}');
    // In the middle of a character.
    const parts = [text.subarray(0, text.length - 4), text.subarray(text.length - 4)];
    expect(await readHookInput(Readable.from(parts))).toEqual({ session_id: "s1", prompt: "grüß" });
    const stdin = Readable.from(parts);
    expect(await parseHookEvent(named("claude-code"), "UserPromptSubmit", stdin)).toMatchObject({
      type: "turn_start",
      prompt: "grüß",
    });
  });

  it.each(["", "{", "[1]", "null"])("is not made up of %j", async (text) => {
    const stdin = Readable.from(text === "" ? [] : [text]);
    await expect(readHookInput(stdin)).rejects.toMatchObject({ code: "SEAM_HOOK_INPUT" });
    const other = Readable.from(['{"a":1}']);
    const never = (value: object): value is { b: 1 } => "b" in value;
    await expect(readHookInput(other, never)).rejects.toMatchObject({ code: "SEAM_HOOK_INPUT" });
  });
});

describe("an agent from outside", () => {
  const mine: Agent = {
    ...named("claude-code"),
    name: "my-agent",
    type: "My Agent",
    detect: () => ({ configured: true }),
    transcript: {
      ...named("claude-code").transcript,
      recognise: (head) => head.toString().startsWith("mine:"),
      chunk: (content) => [content],
    },
  };

  it("is known everywhere as soon as it is registered, until it is taken out", () => {
    const takeOut = registerAgent(mine);
    onTestFinished(takeOut);
    expect(agentNamed("my-agent")).toBe(mine);
    expect(agentOfType("My Agent")).toBe(mine);
    expect(agentNames()).toEqual([...agentNames()].sort());
    expect(ALL_AGENTS.at(-1)?.name).toBe("seam");
    expect(detectAll({ ...tempPlace(), env: {} }).map(({ name }) => name)).toEqual(["my-agent"]);
    expect(firing("my-agent", "tool_call")).toBe("decide");
    expect(agentsFiring("tool_call")).toContain("my-agent");
    expect(recogniseTranscript(Buffer.from("mine: 1\n"))).toBe("my-agent");
    expect(chunkTranscript(Buffer.from("mine: 1\n2\n3\n"), "my-agent", 3)).toHaveLength(1);
    takeOut();
    expect(agentNamed("my-agent")).toBeUndefined();
    expect(AGENTS).toHaveLength(9);
  });

  it.each([
    ["a name that is taken", { name: "codex" }],
    ["the name of the embedded agent", { name: "seam" }],
    ["a name that would lead elsewhere", { name: "../x" }],
    ["a type that is taken", { type: "Codex" }],
    ["no type", { type: " " }],
  ])("is refused with %s", (_, change) => {
    expect(() => registerAgent({ ...mine, ...change })).toThrow(
      expect.objectContaining({ code: "SEAM_AGENT_REGISTER" }),
    );
    expect(AGENTS).toHaveLength(9);
  });
});

describe("a session that is read", () => {
  it("says when it began and which files it made, changed and deleted", () => {
    const { transcript } = named("codex");
    const call = (id: string, patch: string) => ({
      timestamp: "2026-11-15T10:00:00.000Z",
      type: "response_item",
      payload: { type: "custom_tool_call", name: "apply_patch", call_id: id, input: patch },
    });
    const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
    const lines = [
      call("1", patch("*** Add File: new.txt", "+a", "*** Update File: old.txt", "@@", "-a", "+b")),
      call("2", patch("*** Delete File: gone.txt", "*** Add File: brief.txt", "+x")),
      call("3", patch("*** Delete File: brief.txt")),
    ];
    const content = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const session = { sessionId: "s", agent: "codex", project: "/p", ref: "", content };
    const { entries, ...details } = withDetails(transcript, session);
    expect(details).toMatchObject({
      startTime: "2026-11-15T10:00:00.000Z",
      modifiedFiles: ["new.txt", "old.txt", "gone.txt"],
      newFiles: ["new.txt"],
      deletedFiles: ["gone.txt"],
    });
    expect(entries?.length).toBeGreaterThan(0);
  });
});

describe("what was used", () => {
  const claude = named("claude-code");
  const ref = fixture("claude-code", "main.jsonl");

  it("is not zero where nobody knows", async () => {
    expect(await totalTokens(claude, "/nowhere.jsonl")).toBeUndefined();
    expect(await tokenUsageFrom(claude.transcript, "/nowhere.jsonl", 0)).toBeUndefined();
    const cursor = named("cursor");
    expect(await totalTokens(cursor, fixture("cursor", "agent.jsonl"))).toBeUndefined();
    const lines = fixtureContent("claude-code", "main.jsonl").toString().split("\n").length;
    expect(await tokenUsageFrom(claude.transcript, ref, lines)).toMatchObject({ input_tokens: 0 });
  });

  it("from a place on has only the subagents that were started since", async () => {
    const lines = fixtureContent("claude-code", "main.jsonl").toString().split("\n");
    const mentions = lines.flatMap((line, at) => (line.includes("a2ea1ec715da147a3") ? [at] : []));
    const last = mentions.at(-1) ?? 0;
    expect((await totalTokens(claude, ref, mentions[0]))?.subagent_tokens).toMatchObject({
      api_call_count: 2,
    });
    const after = await totalTokens(claude, ref, last + 1);
    expect(after?.subagent_tokens).toBeUndefined();
  });
});
