import type {
  AgentMessage,
  AssistantMessage,
  CompactionPreparation,
  SessionEntry,
} from "../../events/index.ts";
import { entryMessage, entryMessages } from "../session/index.ts";
import type { CompactionSettings } from "./compaction-settings.ts";
import { liveEntries } from "./live-entries.ts";
import { prepareCompaction } from "./prepare-compaction.ts";
import { CHARS_PER_TOKEN, estimateTokens } from "./tokens.ts";

/** Numbers in a refusal beyond this many windows are no counts of tokens. */
const MOST_WINDOWS = 50;

export interface Overflow {
  readonly contextWindow: number;
  /** How often room was made already for the same answer. */
  readonly tries: number;
}

/**
 * The same as prepareCompaction, for a provider that has just refused the context: it knows better
 * than the estimate how large that is, so what is kept is measured by its count. As long as
 * something can be left out, something is.
 */
export function prepareAfterOverflow(
  branch: readonly SessionEntry[],
  settings: CompactionSettings,
  { contextWindow, tries }: Overflow,
): CompactionPreparation | undefined {
  const messages = branch.map(entryMessage);
  const last = messages.findLastIndex((message) => message && !isFailed(message));
  // Without the refusals at the end: keeping nothing but these would lose the question.
  const sent = branch.filter((_, at) => at <= last || !isFailed(messages[at]));
  const scale = scaleOf(branch, contextWindow);
  const wanted = Math.floor(settings.keepRecentTokens / scale / 2 ** tries);
  for (let keepRecentTokens = wanted; ; keepRecentTokens = Math.floor(keepRecentTokens / 2)) {
    const prepared = prepareCompaction(sent, { ...settings, keepRecentTokens }, { again: true });
    // One long message may be much more than was to be kept.
    const isEnough = prepared && keptTokens(sent, prepared) <= 2 * wanted;
    if (isEnough || keepRecentTokens === 0) return prepared;
  }
}

function keptTokens(
  branch: readonly SessionEntry[],
  { firstKeptEntryId }: CompactionPreparation,
): number {
  return estimated(branch.slice(branch.findIndex(({ id }) => id === firstKeptEntryId)));
}

function estimated(entries: readonly SessionEntry[]): number {
  return entryMessages(entries).reduce((sum, message) => sum + estimateTokens(message), 0);
}

function isFailed(message: AgentMessage | undefined): message is AssistantMessage {
  if (message?.role !== "assistant") return false;
  return message.stopReason === "error" || message.stopReason === "aborted";
}

/** How many tokens of the provider one of the estimate stands for. */
function scaleOf(branch: readonly SessionEntry[], contextWindow: number): number {
  const { entries, previous } = liveEntries(branch);
  const summarised = (previous?.summary.length ?? 0) / CHARS_PER_TOKEN;
  const refusal = entryMessages(entries).findLast(isFailed)?.errorMessage ?? "";
  const actual = countIn(refusal, contextWindow) ?? contextWindow;
  return Math.max(1, actual / Math.max(1, summarised + estimated(entries)));
}

/** Most providers say how much they were sent: the largest number that is more than they take. */
function countIn(refusal: string, contextWindow: number): number | undefined {
  const numbers = [...refusal.matchAll(/\d[\d,_]*/g)].map(([text]) =>
    Number(text.replace(/[,_]/g, "")),
  );
  const counts = numbers.filter((n) => n > contextWindow && n < contextWindow * MOST_WINDOWS);
  return counts.length > 0 ? Math.max(...counts) : undefined;
}
