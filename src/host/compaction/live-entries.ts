import type { CompactionEntry, SessionEntry } from "../../events/index.ts";

export interface LiveEntries {
  /** What still stands word for word in the context, oldest first. */
  entries: readonly SessionEntry[];
  /** The compaction whose summary stands for everything before. */
  previous: CompactionEntry | undefined;
}

/** The part of a branch that the last compaction kept, and everything since. */
export function liveEntries(branch: readonly SessionEntry[]): LiveEntries {
  const at = branch.findLastIndex((entry) => entry.type === "compaction");
  const previous = branch[at];
  if (previous?.type !== "compaction") return { entries: branch, previous: undefined };
  const kept = branch.findIndex(({ id }) => id === previous.firstKeptEntryId);
  // A boundary that is not on this branch kept nothing: only what was said since then is left.
  const start = kept === -1 || kept > at ? at + 1 : kept;
  return { entries: branch.slice(start), previous };
}
