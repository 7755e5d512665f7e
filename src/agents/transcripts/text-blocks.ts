import { list, record, text } from "./json.ts";

/** The text of a message: a string, or blocks of which some are text. */
export function textOf(content: unknown): string | undefined {
  if (typeof content === "string") return text(content);
  const parts = list(content).flatMap((block) => {
    const { type, text: said } = record(block);
    return (type === undefined || TEXT_TYPES.has(type)) && typeof said === "string" ? [said] : [];
  });
  return text(parts.join("\n"));
}

/** What the model thought: blocks of a type of their own. */
export function thoughtsIn(content: unknown, type: string, field: string): string | undefined {
  const parts = list(content).flatMap((block) => {
    const { type: is, [field]: said } = record(block);
    return is === type && typeof said === "string" ? [said] : [];
  });
  return text(parts.join("\n"));
}

const TEXT_TYPES = new Set<unknown>(["text", "input_text", "output_text", "Text"]);
