import { Type } from "typebox";
import { isRecord } from "../../values/index.ts";
import type { UserContent } from "../content.ts";
import { declare } from "../declaration.ts";
import { S } from "../schemas.ts";

export interface InjectedMessage {
  customType: string;
  content: string | UserContent[];
  display?: boolean;
  details?: unknown;
}

const Injected = Type.Unsafe<InjectedMessage>({
  ...Type.Object({
    customType: Type.String(),
    content: Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String() }))]),
  }),
  title: "{ customType, content, display, details }",
});

const subagent = {
  subagentId: Type.Optional(Type.String()),
  toolCallId: Type.Optional(Type.String()),
  subagentType: Type.Optional(Type.String()),
  taskDescription: Type.Optional(Type.String()),
  toolInput: Type.Optional(Type.Unknown()),
};

export const runEvents = {
  before_agent_start: declare("before_agent_start", {
    group: "run",
    kind: "transform",
    doc: "After the prompt was entered, before the agent starts: add a message, change the system prompt.",
    payload: Type.Object({
      prompt: Type.String(),
      images: Type.Optional(S.images),
      systemPrompt: Type.String(),
      systemPromptOptions: Type.Optional(S.record),
      messages: Type.Optional(Type.Array(Injected, { description: "Added so far." })),
    }),
    result: Type.Object({
      message: Type.Optional(Injected),
      systemPrompt: Type.Optional(Type.String()),
    }),
    // oh-my-pi's system prompt is a list of parts.
    dialect: (result) =>
      isRecord(result) && Array.isArray(result.systemPrompt)
        ? { ...result, systemPrompt: result.systemPrompt.join("\n\n") }
        : result,
    apply: (event, result) => {
      const { message, systemPrompt } = result as {
        message?: InjectedMessage;
        systemPrompt?: string;
      };
      const { messages = [] } = event as { messages?: InjectedMessage[] };
      return {
        event: {
          ...event,
          ...(message && { messages: [...messages, message] }),
          ...(systemPrompt !== undefined && { systemPrompt }),
        },
      };
    },
  }),
  agent_start: declare("agent_start", {
    group: "run",
    kind: "observe",
    doc: "A turn begins: the agent starts to work on a prompt.",
    payload: Type.Object({ prompt: Type.Optional(Type.String()) }),
  }),
  agent_end: declare("agent_end", {
    group: "run",
    kind: "observe",
    doc: "The agent stopped. A retry, a compaction or a queued message may still follow.",
    payload: Type.Object({ messages: S.messages }),
  }),
  agent_settled: declare("agent_settled", {
    group: "run",
    kind: "observe",
    doc: "Truly idle: no retry, compaction or queued message will follow.",
    payload: Type.Object({ aborted: Type.Boolean() }),
  }),
  turn_start: declare("turn_start", {
    group: "run",
    kind: "observe",
    doc: "A round begins: one model call with its tool calls.",
    payload: Type.Object({ turnIndex: Type.Integer(), timestamp: Type.Number() }),
  }),
  turn_end: declare("turn_end", {
    group: "run",
    kind: "observe",
    doc: "A round ended.",
    payload: Type.Object({
      turnIndex: Type.Integer(),
      message: S.message,
      toolResults: S.toolResults,
    }),
  }),
  subagent_start: declare("subagent_start", {
    group: "run",
    kind: "observe",
    doc: "The agent handed a task to a subagent.",
    payload: Type.Object(subagent),
  }),
  subagent_end: declare("subagent_end", {
    group: "run",
    kind: "observe",
    doc: "A subagent finished its task.",
    payload: Type.Object({
      ...subagent,
      transcriptPath: Type.Optional(Type.String()),
      lastMessage: Type.Optional(Type.String()),
    }),
  }),
};
