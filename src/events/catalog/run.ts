import { Type } from "typebox";
import { isRecord } from "../../values/index.ts";
import type { UserContent } from "../content.ts";
import { declare } from "../declaration.ts";
import { about, S } from "../schemas.ts";

/** A message an extension adds to the conversation before the agent starts. */
export interface InjectedMessage {
  /** The extension's own name for this kind of message. */
  customType: string;
  /** What the model reads. */
  content: string | UserContent[];
  /** Whether people see it too. */
  display?: boolean;
  /** Kept with the message; neither the model nor people see it. */
  details?: unknown;
}

const Injected = Type.Unsafe<InjectedMessage>({
  ...Type.Object({
    customType: Type.String(),
    content: Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String() }))]),
  }),
  title: "InjectedMessage",
});

const subagent = {
  subagentId: Type.Optional(Type.String({ description: "The agent's id of the subagent." })),
  toolCallId: Type.Optional(
    Type.String({ description: "The tool call with which it was started." }),
  ),
  subagentType: Type.Optional(Type.String({ description: "Which kind of subagent it is." })),
  taskDescription: Type.Optional(Type.String({ description: "The task it was given." })),
  toolInput: Type.Optional(
    Type.Unknown({ description: "The input of the tool call with which it was started." }),
  ),
};

export const runEvents = {
  before_agent_start: declare("before_agent_start", {
    group: "run",
    kind: "transform",
    doc: "After the prompt was entered, before the agent starts: add a message, change the system prompt.",
    payload: Type.Object({
      prompt: Type.String({ description: "What the user entered." }),
      images: Type.Optional(about(S.images, "The images that came with it.")),
      systemPrompt: Type.String({ description: "The system prompt as it is so far." }),
      systemPromptOptions: Type.Optional(about(S.record, "What the system prompt was made from.")),
      messages: Type.Optional(
        Type.Array(Injected, { description: "What extensions added so far." }),
      ),
    }),
    result: Type.Object({
      message: Type.Optional(about(Injected, "Added to the conversation after the prompt.")),
      systemPrompt: Type.Optional(
        Type.String({
          description: "Used for this turn instead of the system prompt of the event.",
        }),
      ),
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
    payload: Type.Object({
      prompt: Type.Optional(Type.String({ description: "What the user asked for." })),
    }),
  }),
  agent_end: declare("agent_end", {
    group: "run",
    kind: "observe",
    doc: "The agent stopped. A retry, a compaction or a queued message may still follow.",
    payload: Type.Object({
      messages: about(S.messages, "What was said since the prompt."),
    }),
  }),
  agent_settled: declare("agent_settled", {
    group: "run",
    kind: "observe",
    doc: "Truly idle: no retry, compaction or queued message will follow.",
    payload: Type.Object({
      aborted: Type.Boolean({ description: "The user or an extension stopped the agent." }),
    }),
  }),
  turn_start: declare("turn_start", {
    group: "run",
    kind: "observe",
    doc: "A round begins: one model call with its tool calls.",
    payload: Type.Object({
      turnIndex: Type.Integer({ description: "Which round of this prompt it is, from 0." }),
      timestamp: Type.Number({ description: "When, in milliseconds since 1970." }),
    }),
  }),
  turn_end: declare("turn_end", {
    group: "run",
    kind: "observe",
    doc: "A round ended.",
    payload: Type.Object({
      turnIndex: Type.Integer({ description: "Which round of this prompt it is, from 0." }),
      message: about(S.message, "The model's answer."),
      toolResults: about(S.toolResults, "The results of the tools it called."),
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
      transcriptPath: Type.Optional(Type.String({ description: "Its transcript on disk." })),
      lastMessage: Type.Optional(Type.String({ description: "What it said at the end." })),
    }),
  }),
};
