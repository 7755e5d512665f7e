import {
  type AssistantMessage,
  type EventMap,
  type EventName,
  noUsage,
} from "../../events/index.ts";
import { known } from "./fields.ts";
import type { Payload } from "./hook-support.ts";
import type { Reading, ToolReading } from "./reading.ts";

/** Where a reading comes from. */
export interface Origin {
  /** Registry name. */
  readonly agent: string;
  /** Native name of the hook. */
  readonly hook: string;
  readonly payload: Payload;
  /** Under which id the hook is kept; without it, that of the tool call is used. */
  readonly entryId?: string;
  /** ISO. */
  readonly at?: string;
}

type Fields<Name extends EventName> = Omit<EventMap[Name], "type">;

type Builders = {
  readonly [Name in EventName]?: (
    reading: Reading,
    origin: Partial<Origin>,
  ) => readonly Fields<Name>[];
};

/** What a reading says about an event: nothing, one, or one for each file of a patch. */
export const BUILDERS: Builders = {
  // One hook may tell of either.
  session_start: ({ start, compaction }) => (compaction ? [] : [{ ...start }]),
  session_shutdown: ({ end }) => [{ ...end }],
  input: ({ prompt }) => (prompt === undefined ? [] : [{ text: prompt, source: "interactive" }]),
  before_agent_start: ({ prompt }) =>
    // No agent tells its system prompt.
    prompt === undefined ? [] : [{ prompt, systemPrompt: "" }],
  agent_start: ({ prompt }) => [known({ prompt })],
  agent_end: (reading, { at }) => [{ messages: lastMessages(reading, at) }],
  agent_settled: ({ aborted = false }) => [{ aborted }],

  tool_call: ({ tools = [] }) => tools.map((tool) => ({ ...named(tool), input: tool.input })),
  tool_execution_start: (reading) =>
    calls(reading).map((tool) => ({ ...named(tool), args: tool.input })),
  tool_result: (reading) =>
    ended(reading).map((tool) => ({
      ...named(tool),
      input: tool.input,
      content: tool.result.content,
      isError: tool.result.isError,
    })),
  tool_execution_end: (reading) =>
    ended(reading).map((tool) => ({
      ...named(tool),
      result: { content: tool.result.content },
      isError: tool.result.isError,
    })),
  before_tool_call_persist: (reading, origin) =>
    ended(reading).map((tool) => persisted(reading, origin, tool)),
  after_tool_call_persist: (reading, origin) =>
    ended(reading).map((tool) => ({
      ...persisted(reading, origin, tool),
      toolResult: { content: tool.result.content, isError: tool.result.isError },
    })),
  skill_invoked: ({ skill }) => (skill ? [{ skillEvent: skill }] : []),

  subagent_start: ({ subagent }) => (subagent ? [child(subagent)] : []),
  subagent_end: ({ subagent }) =>
    subagent
      ? [
          {
            ...child(subagent),
            ...known({
              transcriptPath: subagent.transcriptPath,
              lastMessage: subagent.lastMessage,
            }),
          },
        ]
      : [],

  session_before_compact: ({ compaction }) => [
    {
      // Most agents do not tell what they will summarise.
      preparation: {
        firstKeptEntryId: "",
        messagesToSummarize: [],
        turnPrefixMessages: [],
        isSplitTurn: false,
        tokensBefore: 0,
      },
      branchEntries: [],
      signal: new AbortController().signal,
      ...(compaction?.trigger === "manual" && { reason: "manual" }),
    },
  ],
  session_compact: ({ compaction, sessionId, turnId }, { at = "", entryId }) =>
    compaction
      ? [
          {
            compactionEntry: {
              type: "compaction",
              id: entryId ?? turnId ?? sessionId,
              parentId: null,
              timestamp: at,
              summary: compaction.summary ?? "",
              firstKeptEntryId: "",
              tokensBefore: 0,
            },
            fromExtension: false,
          },
        ]
      : [],
};

/** Every reading of one call has the call's id: what happens once per call takes the first. */
function calls({ tools = [] }: Reading): ToolReading[] {
  return tools.filter((tool, index) => index === 0 || tool.callId !== tools[index - 1]?.callId);
}

type Ended = ToolReading & { readonly result: NonNullable<ToolReading["result"]> };

function ended(reading: Reading): Ended[] {
  return calls(reading).filter((tool): tool is Ended => tool.result !== undefined);
}

function named({ name, callId, nativeName, madeUpId }: ToolReading) {
  return {
    toolName: name,
    toolCallId: callId,
    nativeToolName: nativeName,
    ...(madeUpId && { madeUpToolCallId: true }),
  };
}

function persisted({ sessionId, inSubagent }: Reading, origin: Partial<Origin>, tool: ToolReading) {
  return {
    ...named(tool),
    sessionKey: sessionId,
    agentId: inSubagent?.id ?? origin.agent ?? "",
    toolInput: tool.input,
    messageId: origin.entryId ?? tool.callId,
  };
}

function child({ id, toolCallId, type, task, input }: NonNullable<Reading["subagent"]>) {
  return known({
    subagentId: id,
    toolCallId,
    subagentType: type,
    taskDescription: task,
    toolInput: input,
  });
}

/** Agents tell at most the last thing that was said, and nothing about what it cost. */
function lastMessages({ lastMessage, model, aborted }: Reading, at?: string): AssistantMessage[] {
  if (lastMessage === undefined) return [];
  return [
    {
      role: "assistant",
      content: [{ type: "text", text: lastMessage }],
      api: "",
      provider: "",
      model: model ?? "",
      usage: noUsage(),
      stopReason: aborted ? "aborted" : "stop",
      timestamp: at === undefined ? 0 : Date.parse(at),
    },
  ];
}
