import type { AssistantContent } from "./content.ts";
import type { Message } from "./messages.ts";
import { textOfContent } from "./text-of-content.ts";

const LONGEST_RESULT = 2_000;

/**
 * A conversation as text, for a model that is asked about it instead of continuing it.
 *
 * @example
 * pi.on("session_before_compact", (event) => {
 *   const text = serializeConversation(convertToLlm(event.preparation.messagesToSummarize));
 *   pi.logger.info(`${text.length} characters are about to be summarised`);
 * });
 */
export function serializeConversation(messages: readonly Message[]): string {
  return messages.flatMap(linesOf).join("\n\n");
}

function linesOf(message: Message): string[] {
  switch (message.role) {
    case "user":
      return labelled("User", textOfContent(message.content));
    case "assistant":
      return [...message.content.flatMap(blockLines), ...callLines(message.content)];
    case "toolResult":
      return labelled("Tool result", shorten(textOfContent(message.content)));
  }
}

function blockLines(block: AssistantContent): string[] {
  switch (block.type) {
    case "text":
      return labelled("Assistant", block.text);
    case "thinking":
      return labelled("Assistant thinking", block.thinking);
    case "toolCall":
      return [];
  }
}

/** All calls of an answer in one line, as Pi has them: prompts of extensions tell models to expect it. */
function callLines(blocks: readonly AssistantContent[]): string[] {
  const calls = blocks.flatMap((block) => {
    if (block.type !== "toolCall") return [];
    const args = Object.entries(block.arguments).map(([key, v]) => `${key}=${JSON.stringify(v)}`);
    return [`${block.name}(${args.join(", ")})`];
  });
  return labelled("Assistant tool calls", calls.join("; "));
}

function labelled(label: string, text: string): string[] {
  return text === "" ? [] : [`[${label}]: ${text}`];
}

function shorten(text: string): string {
  if (text.length <= LONGEST_RESULT) return text;
  return `${text.slice(0, LONGEST_RESULT)} … (${text.length - LONGEST_RESULT} more characters)`;
}
