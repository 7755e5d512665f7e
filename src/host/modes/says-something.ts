import type { AssistantMessage } from "../../events/index.ts";

/** Thinking alone is no answer. */
export function saysSomething({ content }: AssistantMessage): boolean {
  return content.some(
    (block) => block.type === "toolCall" || (block.type === "text" && block.text !== ""),
  );
}
