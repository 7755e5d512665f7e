import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  UserContent,
} from "../../events/index.ts";

export const CHARS_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_200;

/** Roughly what a message costs. Text only counts by its length: no tokenizer is needed for this. */
export function estimateTokens(message: AgentMessage): number {
  switch (message.role) {
    case "user":
    case "custom":
    case "toolResult":
    case "assistant":
      return ofContent(message.content);
    case "bashExecution":
      return message.excludeFromContext ? 0 : ofText(message.command + message.output);
    case "branchSummary":
    case "compactionSummary":
      return ofText(message.summary);
    default:
      // Roles of other programs are kept in the session and not sent.
      return 0;
  }
}

/**
 * The size of a context: what the provider counted with its last answer, plus an estimate of what
 * was said since.
 */
export function contextTokens(messages: readonly AgentMessage[]): number {
  const compacted = lastCompaction(messages);
  const counted = messages.findLastIndex(
    (message) => message.role === "assistant" && isCount(message, compacted),
  );
  const last = messages[counted];
  const known = last?.role === "assistant" ? totalOf(last) : 0;
  return messages.slice(counted + 1).reduce((sum, message) => sum + estimateTokens(message), known);
}

function lastCompaction(messages: readonly AgentMessage[]): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    if (message.role === "compactionSummary") latest = Math.max(latest, message.timestamp);
  }
  return latest;
}

/** Answers that were kept over a compaction still carry the size of the context before it. */
function isCount(message: AssistantMessage, compacted: number): boolean {
  if (message.stopReason === "aborted" || message.stopReason === "error") return false;
  return message.timestamp > compacted && totalOf(message) > 0;
}

function totalOf({ usage }: AssistantMessage): number {
  // Sessions of other programs may lack the field.
  if (!usage) return 0;
  return usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

function ofContent(content: string | readonly (UserContent | AssistantContent)[]): number {
  if (typeof content === "string") return ofText(content);
  // A damaged session must still be measurable.
  if (!Array.isArray(content)) return 0;
  let chars = 0;
  let images = 0;
  for (const block of content) {
    if (block.type === "image") images++;
    else if (block.type === "text") chars += block.text.length;
    else if (block.type === "thinking") chars += block.thinking.length;
    else chars += block.name.length + JSON.stringify(block.arguments).length;
  }
  return Math.ceil(chars / CHARS_PER_TOKEN) + images * IMAGE_TOKENS;
}

function ofText(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
