import { type AgentMessage, convertToLlm, serializeConversation } from "../../events/index.ts";
import type { ModelRequest } from "../../extensions/index.ts";
import { withoutFileLists } from "./join-summaries.ts";
import {
  FIRST_SUMMARY_PROMPT,
  NEXT_SUMMARY_PROMPT,
  SUMMARY_SYSTEM_PROMPT,
  TURN_PREFIX_PROMPT,
} from "./summary-prompts.ts";

export interface SummaryOptions {
  /** What the user wants the summary to pay attention to. */
  customInstructions?: string;
  /** Lines of extensions that the summary must consider. */
  context?: readonly string[];
  /** Takes the place of the built-in prompt. */
  prompt?: string;
}

/** Asks for the summary of everything before the kept part, or before the turn that is split. */
export function summaryRequest(
  conversation: string,
  previousSummary = "",
  options: SummaryOptions = {},
): ModelRequest {
  const { customInstructions, context = [] } = options;
  const builtIn = previousSummary ? NEXT_SUMMARY_PROMPT : FIRST_SUMMARY_PROMPT;
  return requestOf([
    tagged("conversation", conversation),
    previousSummary ? tagged("earlier-notes", withoutFileLists(previousSummary)) : "",
    context.length > 0 ? tagged("also-consider", context.join("\n")) : "",
    options.prompt ?? builtIn,
    focus(customInstructions),
  ]);
}

/** Asks for the summary of the first part of a turn whose second part is kept. */
export function turnPrefixRequest(conversation: string): ModelRequest {
  return requestOf([tagged("conversation", conversation), TURN_PREFIX_PROMPT]);
}

/** The instructions come last: what is quoted above them must not have the last word. */
export function requestOf(parts: readonly string[]): ModelRequest {
  const text = parts.filter((part) => part !== "").join("\n\n");
  return {
    systemPrompt: SUMMARY_SYSTEM_PROMPT,
    messages: [{ role: "user", content: [{ type: "text", text }], timestamp: 0 }],
  };
}

export function textOf(messages: readonly AgentMessage[]): string {
  return serializeConversation(convertToLlm(messages));
}

export function tagged(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

export function focus(customInstructions: string | undefined): string {
  const wish = customInstructions?.trim();
  return wish ? `The user asks you to pay attention to this above all: ${wish}` : "";
}
