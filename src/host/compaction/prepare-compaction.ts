import type {
  AgentMessage,
  CompactionEntry,
  CompactionPreparation,
  SessionEntry,
} from "../../events/index.ts";
import { entryMessage, entryMessages } from "../session/index.ts";
import { type CompactionSettings, DEFAULT_COMPACTION } from "./compaction-settings.ts";
import { collectFileOps } from "./file-ops.ts";
import { findCut } from "./find-cut.ts";
import { liveEntries } from "./live-entries.ts";
import { contextTokens } from "./tokens.ts";

/**
 * What a compaction of this branch would summarise and what it would keep. Undefined if there is
 * nothing to gain: too short, or nothing was said since the last one. `again`: that one was not
 * enough.
 */
export function prepareCompaction(
  branchEntries: readonly SessionEntry[],
  settings: CompactionSettings = DEFAULT_COMPACTION,
  { again = false }: { again?: boolean } = {},
): CompactionPreparation | undefined {
  const { entries, previous } = liveEntries(branchEntries);
  if (previous && !again && !saidSince(previous, entries)) return undefined;

  const { firstKeptIndex, turnStartIndex, isSplitTurn } = findCut(entries, settings);
  const firstKept = entries[firstKeptIndex];
  const messagesToSummarize = entryMessages(entries.slice(0, turnStartIndex));
  const turnPrefixMessages = entryMessages(entries.slice(turnStartIndex, firstKeptIndex));
  if (!firstKept || messagesToSummarize.length + turnPrefixMessages.length === 0) return undefined;

  return {
    firstKeptEntryId: firstKept.id,
    messagesToSummarize,
    turnPrefixMessages,
    isSplitTurn,
    tokensBefore: contextTokens([...summaryOf(previous), ...entryMessages(entries)]),
    ...(previous && { previousSummary: previous.summary }),
    fileOps: collectFileOps(entries.slice(0, firstKeptIndex), [previous]),
    settings,
  };
}

function saidSince(previous: CompactionEntry, entries: readonly SessionEntry[]): boolean {
  return entries.slice(entries.indexOf(previous) + 1).some(entryMessage);
}

function summaryOf(previous: CompactionEntry | undefined): AgentMessage[] {
  if (!previous) return [];
  const { summary, tokensBefore } = previous;
  const timestamp = Date.parse(previous.timestamp);
  return [{ role: "compactionSummary", summary, tokensBefore, timestamp }];
}
