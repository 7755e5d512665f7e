import type { AssistantContent, ToolCall, UserContent } from "./content.ts";

/** Tokens and money of one model answer, in Pi's shape. `input` does not include cached tokens. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/** Why an answer of a model ended. */
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

/** What the user, or an extension in the name of the user, said. */
export interface UserMessage {
  role: "user";
  content: string | UserContent[];
  timestamp: number;
}

/** An answer of a model, with what it cost. */
export interface AssistantMessage {
  role: "assistant";
  content: AssistantContent[];
  api: string;
  provider: string;
  model: string;
  responseModel?: string;
  responseId?: string;
  usage: Usage;
  stopReason: StopReason;
  errorMessage?: string;
  timestamp: number;
}

/** What a tool call came to. The model reads `content`; `details` are for extensions and screens. */
export interface ToolResultMessage<Details = unknown> {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: UserContent[];
  details?: Details;
  /** What the tool itself used of models. */
  usage?: unknown;
  /** The calls that the tool made of others; the model does not see them. */
  nestedCalls?: NestedToolCalls;
  isError: boolean;
  timestamp: number;
  /** How long the tool ran, in milliseconds. */
  durationMs?: number;
}

/** A call that a tool made of another one. */
export interface NestedToolCall {
  id: string;
  name: string;
  /** Absent if they are too long to be kept. */
  arguments?: Record<string, unknown>;
  /** Then their length as JSON. */
  argumentsBytes?: number;
  status: "ok" | "error" | "unfinished";
  durationMs?: number;
  /** The beginning of what went wrong. */
  error?: string;
}

/** What is kept of the calls that a tool made of others. */
export interface NestedToolCalls {
  calls: NestedToolCall[];
  /** False if calls or arguments were left out, or a call had not ended. */
  complete: boolean;
}

/** A command the user ran with `!`. */
export interface BashExecutionMessage {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode: number | undefined;
  cancelled: boolean;
  truncated: boolean;
  fullOutputPath?: string;
  excludeFromContext?: boolean;
  timestamp: number;
}

/** A message an extension put into the conversation. */
export interface CustomMessage<Details = unknown> {
  role: "custom";
  customType: string;
  content: string | UserContent[];
  display: boolean;
  details?: Details;
  timestamp: number;
}

/** A summary of a branch of the conversation that was left. */
export interface BranchSummaryMessage {
  role: "branchSummary";
  summary: string;
  fromId: string;
  timestamp: number;
}

/** The summary that took the place of the older part of the conversation. */
export interface CompactionSummaryMessage {
  role: "compactionSummary";
  summary: string;
  tokensBefore: number;
  timestamp: number;
}

/** What a model provider understands. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** Everything that can stand in a conversation. */
export type AgentMessage =
  | Message
  | BashExecutionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage;

/** One step of a streamed answer. `partial` is the answer so far. */
export type AssistantMessageEvent =
  | { type: "start"; partial: AssistantMessage }
  | {
      type: "text_start" | "thinking_start" | "toolcall_start";
      contentIndex: number;
      partial: AssistantMessage;
    }
  | {
      type: "text_delta" | "thinking_delta" | "toolcall_delta";
      contentIndex: number;
      delta: string;
      partial: AssistantMessage;
    }
  | {
      type: "text_end" | "thinking_end";
      contentIndex: number;
      content: string;
      partial: AssistantMessage;
    }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage }
  | {
      type: "done";
      reason: Extract<StopReason, "stop" | "length" | "toolUse">;
      message: AssistantMessage;
    }
  | { type: "error"; reason: Extract<StopReason, "aborted" | "error">; error: AssistantMessage };
