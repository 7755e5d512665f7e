import type { AgentMessage, ToolCall } from "../../events/index.ts";

/** The tool calls in a message. Sessions of other programs may hold answers that are plain text. */
export function toolCallsOf(message: AgentMessage | undefined): ToolCall[] {
  if (message?.role !== "assistant" || !Array.isArray(message.content)) return [];
  return message.content.filter((block) => block.type === "toolCall");
}
