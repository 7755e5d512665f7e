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
  // It is looked at before every answer, and nearly always in order: then nothing is put together anew.
  if (isInOrder(messages)) return messages.slice();
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

/** Whether a model may be sent all of it as it stands. */
function isInOrder(messages: readonly AgentMessage[]): messages is readonly Message[] {
  let asking: AssistantMessage | undefined;
  /** How many results are there of what was called last, and how many there have to be. */
  let results = 0;
  let calls = 0;
  for (const message of messages) {
    if (message.role === "toolResult") {
      // More than one result may come in another order, or twice: that is for a closer look.
      if (results === calls || callAt(asking, results)?.id !== message.toolCallId) return false;
      results++;
      continue;
    }
    if (results < calls || !isModelMessage(message)) return false;
    if (message.role !== "assistant") continue;
    if (message.stopReason === "error" || message.stopReason === "aborted") return false;
    asking = message;
    results = 0;
    calls = countCalls(message);
  }
  return results === calls;
}

function countCalls({ content }: AssistantMessage): number {
  let calls = 0;
  for (const block of content) if (block.type === "toolCall") calls++;
  return calls;
}

function callAt(message: AssistantMessage | undefined, wanted: number): ToolCall | undefined {
  let at = 0;
  for (const block of message?.content ?? []) {
    if (block.type === "toolCall" && at++ === wanted) return block;
  }
  return undefined;
}

function isModelMessage(message: AgentMessage): message is Message {
  const { role } = message;
  return role === "user" || role === "assistant" || role === "toolResult";
}

const NO_RESULT: ToolResult = {
  content: [{ type: "text", text: "There is no result: the call was interrupted." }],
  isError: true,
};
