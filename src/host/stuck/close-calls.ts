import type { ToolCall } from "../../events/index.ts";
import { toolCallsOf, toolResultMessage } from "../loop/messages.ts";
import type { SessionTree } from "../session/index.ts";

/** Answers the tool calls that a turn that was cut off left open, so that the session is whole. */
export function closeCalls(session: SessionTree, reason: string): void {
  let open: ToolCall[] = [];
  for (const message of session.buildContext().messages) {
    if (message.role === "assistant") open = toolCallsOf(message);
    else if (message.role === "toolResult") {
      open = open.filter(({ id }) => id !== message.toolCallId);
    }
  }
  const text = `The call was interrupted: ${reason}`;
  const result = { content: [{ type: "text" as const, text }], isError: true };
  for (const call of open) session.appendMessage(toolResultMessage(call, result));
}
