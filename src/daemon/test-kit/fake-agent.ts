import type {
  Agent,
  HookSupport,
  Payload,
  Reading,
  Told,
  ToolReading,
} from "../../agents/index.ts";

/** What the fake agent's hooks say, in its own words. */
interface FakePayload {
  readonly session?: string;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly tool?: string;
  readonly input?: Record<string, unknown>;
  readonly files?: readonly string[];
  readonly output?: string;
  readonly call?: string;
  readonly last?: string;
}

/** An agent with every power, whose answers are what it is told. */
export const fakeHooks: HookSupport = {
  mapping: {
    start: { events: ["session_start"], powers: ["add_context", "message"] },
    prompt: {
      events: ["input", "before_agent_start", "agent_start"],
      powers: ["block_prompt", "add_context", "message"],
    },
    before: {
      events: ["tool_call", "tool_execution_start"],
      powers: ["block", "rewrite_input", "add_context", "message"],
    },
    // A gate of an agent with a dialog of its own.
    asks: { events: ["tool_call", "tool_execution_start"], powers: ["block", "ask"] },
    // A gate of an agent that cannot be told of changed inputs.
    strict: { events: ["tool_call"], powers: ["block"] },
    // A gate of an agent whose turn can be ended.
    ends: { events: ["tool_call", "tool_execution_start"], powers: ["block", "interrupt"] },
    // An agent that wants a no by exit code.
    exit: { events: ["tool_call"], powers: ["block"] },
    after: {
      events: [
        "tool_result",
        "tool_execution_end",
        "before_tool_call_persist",
        "after_tool_call_persist",
      ],
      powers: ["replace_result"],
    },
    stop: { events: ["agent_end", "agent_settled"], powers: ["continue"] },
    compact: { events: ["session_before_compact"], powers: ["cancel"] },
    end: { events: ["session_shutdown"], powers: [], repeats: true },
    // Answers with what it was told to.
    raw: { events: ["agent_start"], powers: [] },
    ignored: { events: ["agent_start"], powers: [], skip: () => true },
  },
  read: (hook, payload) => readFake(hook, payload),
  nativeInput: (_, input) => ("impossible" in input ? undefined : { native: { ...input } }),
  canAsk: (hook) => hook === "asks",
  answer: (hook, { allowed: _, ...told }, payload) => {
    if (hook === "raw") return { stdout: String(payload.raw), exitCode: 0 };
    if (Object.keys(told).length === 0) return { stdout: "", exitCode: 0 };
    if (hook === "exit") {
      return { stdout: "", stderr: `${(told as Told).block?.reason} ü\n`, exitCode: 2 };
    }
    return { stdout: JSON.stringify(told), exitCode: 0 };
  },
  installer: {
    levels: [],
    files: () => [],
    install: () => [],
    uninstall: () => [],
    health: () => "none",
    examine: async () => [],
  },
};

function readFake(hook: string, payload: Payload): Reading | undefined {
  const {
    session,
    cwd,
    prompt,
    tool,
    input = {},
    files,
    output,
    call = "c1",
    last,
  } = payload as FakePayload;
  if (session === undefined) return undefined;
  const one: ToolReading | undefined =
    tool === undefined
      ? undefined
      : {
          name: tool,
          nativeName: tool.toUpperCase(),
          input,
          nativeInput: input,
          callId: call,
          ...(output !== undefined && {
            result: {
              content: [{ type: "text", text: output }],
              isError: false,
              native: output,
            },
          }),
        };
  const tools = one && (files ? files.map((path) => ({ ...one, input: { path } })) : [one]);
  return {
    sessionId: session,
    ...(cwd !== undefined && { cwd }),
    ...(prompt !== undefined && { prompt }),
    ...(tools && { tools }),
    ...(last !== undefined && { lastMessage: last }),
    ...(hook === "start" && { start: { reason: "startup" } }),
    ...(hook === "end" && { end: { reason: "quit" } }),
  };
}

export const fakeAgent: Agent = {
  name: "aider",
  type: "Fake Agent",
  description: "for tests",
  preview: true,
  protectedDirs: [],
  program: { command: "fake", versionArgs: [], tested: ["0", "0"] },
  detect: () => ({ configured: false }),
  transcript: {
    unit: "line",
    read: async () => Buffer.alloc(0),
    recognise: () => false,
    chunk: (content) => [content],
    reassemble: (chunks) => Buffer.concat(chunks),
  },
  sessions: {
    dir: () => "",
    file: () => undefined,
    read: async () => undefined,
    write: async (_, { ref }) => ({ ref, written: false }),
    truncate: () => undefined,
    resumeCommand: () => [],
  },
  hooks: fakeHooks,
};
