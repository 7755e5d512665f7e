import { Type } from "typebox";
import { isRecord } from "../../values/index.ts";
import type { UserContent } from "../content.ts";
import { type AnyEvent, declare } from "../declaration.ts";
import type { AgentMessage, Message } from "../messages.ts";
import { about, S } from "../schemas.ts";
import type { ContextEditEntry, SessionEntry } from "../session-entries.ts";

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

/** An entry that an extension wants in the session. */
export type EntryDraft =
  /** State of the extension's own, which the model does not read. */
  | { type: "custom"; customType: string; data?: unknown }
  /** A message that the model reads. */
  | {
      type: "custom_message";
      customType: string;
      content: string | UserContent[];
      display?: boolean;
      details?: unknown;
    }
  /** Hides an entry from the model, or puts something else in its place. */
  | { type: "context_edit"; targetId: string; replacement: ContextEditEntry["replacement"] }
  /** A summary in the place of what came before; `null` keeps nothing of that. */
  | {
      type: "compaction";
      summary: string;
      firstKeptEntryId: string | null;
      details?: unknown;
      usage?: unknown;
    };

const Draft = Type.Unsafe<EntryDraft>({
  ...Type.Union([
    Type.Object({ type: Type.Literal("custom"), customType: Type.String() }),
    Type.Object({
      type: Type.Literal("custom_message"),
      customType: Type.String(),
      content: Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String() }))]),
    }),
    Type.Object({
      type: Type.Literal("context_edit"),
      targetId: Type.String(),
      replacement: Type.Union([Type.Null(), Type.Object({})]),
    }),
    Type.Object({
      type: Type.Literal("compaction"),
      summary: Type.String(),
      firstKeptEntryId: Type.Union([Type.Null(), Type.String()]),
    }),
  ]),
  title: "EntryDraft",
});

/** What the model would be asked with, if it were asked now. */
export interface BoundaryContext {
  /** The entries of the session that count, each with the messages it stands for. */
  contextEntries: { sourceEntry: SessionEntry; messages: AgentMessage[] }[];
  contextMessages: AgentMessage[];
  /** The same as a model reads them. */
  llmMessages: Message[];
  /** What waits to be said. */
  pendingMessages: AgentMessage[];
  /** There is something to answer: a message of the user, a result of a tool, or what waits. */
  canContinue: boolean;
}

const Context = Type.Unsafe<BoundaryContext>({
  ...Type.Object({ canContinue: Type.Boolean() }),
  title: "BoundaryContext",
});
const Outcome = S.oneOf("completed", "aborted", "error");
const boundary = {
  entries: Type.Array(Draft, { description: "What extensions add to the session so far." }),
  continue: Type.Boolean({ description: "Whether the model is asked once more." }),
  context: Type.Optional(
    about(Context, "What the model would be asked with before anything is added."),
  ),
};
const boundaryResult = Type.Object({
  entries: Type.Optional(Type.Array(Draft, { description: "Added to the session." })),
  continue: Type.Optional(Type.Boolean({ description: "The model is asked once more." })),
});

/** What a handler says takes the place of what the ones before it said. */
function applyBoundary(event: AnyEvent, result: unknown) {
  const { entries, continue: goesOn } = result as { entries?: unknown[]; continue?: boolean };
  return {
    event: {
      ...event,
      ...(entries && { entries }),
      ...(goesOn !== undefined && { continue: goesOn }),
    },
  };
}

export const runEvents = {
  before_agent_start: declare("before_agent_start", {
    group: "run",
    kind: "transform",
    doc: "After the prompt was entered, before the agent starts: add a message, change the system prompt.",
    payload: Type.Object({
      prompt: Type.String({ description: "What the user entered." }),
      messageType: Type.Optional(
        about(S.oneOf("user", "custom"), "Whether a person or an extension said it."),
      ),
      images: Type.Optional(about(S.images, "The images that came with it.")),
      message: Type.Optional(about(S.message, "The message of the extension that said it.")),
      systemPrompt: Type.String({ description: "The system prompt as it is so far." }),
      systemPromptOptions: Type.Optional(
        about(
          S.record,
          "What the system prompt is made from. It may be changed in place; `sections` adds parts.",
        ),
      ),
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
    mutable: ["systemPromptOptions"],
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
  agent_before_settle: declare("agent_before_settle", {
    group: "run",
    kind: "transform",
    doc: "The agent is about to be idle: add entries to the session, or have the model asked once more.",
    payload: Type.Object({
      ...boundary,
      outcome: about(Outcome, "How the work came to its end."),
    }),
    result: boundaryResult,
    apply: applyBoundary,
  }),
  session_stop: declare("session_stop", {
    group: "run",
    kind: "gate",
    doc: "The agent would stop. A handler can send it on, with a reason for the model.",
    payload: Type.Object({
      messages: about(S.messages, "What was said since the prompt."),
      turn_id: Type.Optional(Type.String({ description: "The turn that would end." })),
      last_assistant_message: Type.Optional(
        Type.String({ description: "What the model said at the end." }),
      ),
      session_id: Type.String({ description: "The session." }),
      session_file: Type.Optional(Type.String({ description: "Its file, if it has one." })),
      stop_hook_active: Type.Boolean({ description: "It was sent on already, in this turn." }),
    }),
    result: Type.Object({
      continue: Type.Optional(Type.Boolean({ description: "It goes on." })),
      additionalContext: Type.Optional(Type.String({ description: "What the model is told." })),
      reason: Type.Optional(Type.String({ description: "The same, in another dialect." })),
      decision: Type.Optional(about(S.oneOf("block"), "The stop is refused: it goes on.")),
    }),
    stops: (result) => result.continue === true || result.decision === "block",
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
    kind: "transform",
    doc: "A round ended: add entries to the session, or have the model asked once more.",
    payload: Type.Object({
      turnIndex: Type.Integer({ description: "Which round of this prompt it is, from 0." }),
      message: about(S.message, "The model's answer."),
      toolResults: about(S.toolResults, "The results of the tools it called."),
      messageEntryId: Type.Optional(Type.String({ description: "The entry of the answer." })),
      toolResultEntryIds: Type.Optional(
        Type.Array(Type.String(), { description: "The entries of the results, in their order." }),
      ),
      outcome: Type.Optional(about(Outcome, "How the round ended.")),
      entries: Type.Optional(boundary.entries),
      continue: Type.Optional(boundary.continue),
      context: boundary.context,
    }),
    result: boundaryResult,
    apply: applyBoundary,
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
