import type {
  AgentMessage,
  AssistantMessage,
  Message,
  Model,
  ToolCall,
  ToolResultMessage,
} from "../../events/index.ts";
import { convertToLlm } from "../../events/index.ts";
import type { ToolResult } from "../../tools/index.ts";

const NO_USAGE = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** An answer that did not come about. */
export function failedAnswer(
  model: Model,
  stopReason: "error" | "aborted",
  errorMessage: string,
  partial?: AssistantMessage,
): AssistantMessage {
  return {
    role: "assistant",
    content: partial?.content ?? [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: partial?.usage ?? NO_USAGE,
    timestamp: partial?.timestamp ?? Date.now(),
    stopReason,
    errorMessage,
  };
}

export function toolCallsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((block) => block.type === "toolCall");
}

export function toolResultMessage(call: ToolCall, result: ToolResult): ToolResultMessage {
  const { content, details, isError = false } = result;
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content,
    ...(details !== undefined && { details }),
    isError,
    timestamp: Date.now(),
  };
}

/**
 * What a model may be sent: answers that failed are left out together with the results of their
 * tool calls, and a call without a result gets one. Providers refuse anything else.
 */
export function modelMessages(messages: readonly AgentMessage[]): Message[] {
  const answered = new Set<string>();
  for (const message of messages) {
    if (message.role === "toolResult") answered.add(message.toolCallId);
  }
  const dropped = new Set<string>();
  const kept: Message[] = [];
  for (const message of convertToLlm(messages)) {
    if (message.role === "toolResult" && dropped.has(message.toolCallId)) continue;
    if (message.role !== "assistant") {
      kept.push(message);
      continue;
    }
    if (message.stopReason === "error" || message.stopReason === "aborted") {
      for (const call of toolCallsOf(message)) dropped.add(call.id);
      continue;
    }
    kept.push(message);
    for (const call of toolCallsOf(message)) {
      if (!answered.has(call.id)) kept.push(toolResultMessage(call, NO_RESULT));
    }
  }
  return kept;
}

const NO_RESULT: ToolResult = {
  content: [{ type: "text", text: "There is no result: the call was interrupted." }],
  isError: true,
};
