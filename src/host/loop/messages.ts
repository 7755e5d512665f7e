import type {
  AgentMessage,
  AssistantMessage,
  Message,
  Model,
  ToolCall,
  ToolResultMessage,
} from "../../events/index.ts";
import { convertToLlm, noUsage } from "../../events/index.ts";
import type { ToolResult } from "../../tools/index.ts";

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
    usage: partial?.usage ?? noUsage(),
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
 * What a model may be sent: answers that failed are left out; every call is followed by its
 * result, or by one that says there is none; no result stands without its call, as in a session
 * that was cut between the two. Providers refuse anything else.
 */
export function modelMessages(messages: readonly AgentMessage[]): Message[] {
  const kept: Message[] = [];
  // What was said while tools ran waits until their results are there.
  let waiting: Message[] = [];
  let open: ToolCall[] = [];
  const close = () => {
    if (open.length === 0 && waiting.length === 0) return;
    kept.push(...open.map((call) => toolResultMessage(call, NO_RESULT)), ...waiting);
    open = [];
    waiting = [];
  };
  // Converting copies; most conversations have nothing to convert.
  for (const message of messages.every(isModelMessage) ? messages : convertToLlm(messages)) {
    if (message.role === "assistant") {
      close();
      if (message.stopReason === "error" || message.stopReason === "aborted") continue;
      kept.push(message);
      open = toolCallsOf(message);
    } else if (message.role !== "toolResult") {
      (open.length > 0 ? waiting : kept).push(message);
    } else {
      const at = open.findIndex(({ id }) => id === message.toolCallId);
      if (at < 0) continue;
      kept.push(message);
      open = open.filter((_, index) => index !== at);
      if (open.length === 0) close();
    }
  }
  close();
  return kept;
}

function isModelMessage(message: AgentMessage): message is Message {
  const { role } = message;
  return role === "user" || role === "assistant" || role === "toolResult";
}

const NO_RESULT: ToolResult = {
  content: [{ type: "text", text: "There is no result: the call was interrupted." }],
  isError: true,
};
