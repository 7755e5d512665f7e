import type { ToolCall } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";

/**
 * A tool call whose arguments are not a JSON object is kept, with the text the model sent under this
 * one key: it survives the session file, and the model sees on the next call what it wrote.
 */
const MALFORMED = "__malformed";

export function parseArguments(json: string): Record<string, unknown> {
  // Models leave the arguments out when a tool takes none.
  if (json.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(json);
    if (isRecord(value)) return value;
  } catch {
    // Falls through: not JSON at all, or cut off.
  }
  return { [MALFORMED]: json };
}

/** What the model sent instead of a JSON object, or undefined if the arguments are fine. */
export function malformedArguments(call: ToolCall): string | undefined {
  const raw = call.arguments[MALFORMED];
  return typeof raw === "string" && Object.keys(call.arguments).length === 1 ? raw : undefined;
}

/** What is wrong with arguments that are not a JSON object, for the model to read. */
export function argumentsProblem(call: ToolCall): string | undefined {
  const raw = malformedArguments(call);
  if (raw === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return "The arguments are not valid JSON. Make the call again.";
  }
  const kind = Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`;
  return `The arguments are ${kind}, not a JSON object. Make the call again.`;
}
