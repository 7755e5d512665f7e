import type { TextContent, UserContent } from "./content.ts";
import type { AgentMessage, BashExecutionMessage, Message } from "./messages.ts";

/**
 * What a model gets to see of a conversation: everything that is not a message becomes one.
 *
 * @example
 * pi.on("session_before_compact", (event) => {
 *   for (const { role } of convertToLlm(event.preparation.messagesToSummarize)) console.error(role);
 * });
 */
export function convertToLlm(messages: readonly AgentMessage[]): Message[] {
  return messages.flatMap((message): Message[] => {
    switch (message.role) {
      case "user":
      case "assistant":
      case "toolResult":
        return [message];
      case "custom":
        return [asUser(message.content, message.timestamp)];
      case "bashExecution":
        return message.excludeFromContext ? [] : [asUser(commandText(message), message.timestamp)];
      case "branchSummary":
        return [asUser(summaryText(LEFT_BRANCH, message.summary), message.timestamp)];
      case "compactionSummary":
        return [asUser(summaryText(COMPACTED, message.summary), message.timestamp)];
      default:
        // Roles of other programs are kept in the session and not sent.
        return [];
    }
  });
}

const LEFT_BRANCH = "Summary of another branch of this conversation that was left:";
const COMPACTED = "Summary of the conversation so far, which was shortened to this:";

function asUser(content: string | UserContent[], timestamp: number): Message {
  const text: TextContent[] | UserContent[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return { role: "user", content: text, timestamp };
}

function summaryText(title: string, summary: string): string {
  return `${title}\n\n<summary>\n${summary}\n</summary>`;
}

function commandText(message: BashExecutionMessage): string {
  const { command, output, cancelled, exitCode, truncated, fullOutputPath } = message;
  const lines = [
    `The user ran \`${command}\``,
    output ? `\`\`\`\n${output}\n\`\`\`` : "No output.",
  ];
  if (cancelled) lines.push("It was cancelled.");
  else if (exitCode !== undefined && exitCode !== 0) lines.push(`It ended with code ${exitCode}.`);
  if (truncated && fullOutputPath) lines.push(`The whole output is in ${fullOutputPath}.`);
  return lines.join("\n");
}
