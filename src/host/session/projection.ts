import type { AgentMessage, CompactionEntry, SessionEntry } from "../../events/index.ts";
import { buildContext, type SessionContext } from "./build-context.ts";
import { withEdits } from "./context-edits.ts";
import { entryMessage } from "./entry-message.ts";

type ById = ReadonlyMap<string, SessionEntry>;

/** What one entry adds to the conversation. */
export function sessionEntryToContextMessages(entry: SessionEntry): AgentMessage[] {
  if (entry.type === "compaction") return [summaryOf(entry)];
  return [entryMessage(entry)].filter((message) => message !== undefined);
}

/** The entries the model sees from a leaf: from the latest compaction on, with what it kept. */
export function buildContextEntries(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: ById,
): SessionEntry[] {
  const path = pathTo(entries, leafId, byId);
  const at = path.findLastIndex(({ type }) => type === "compaction");
  const compaction = path[at];
  if (compaction?.type !== "compaction") return path;
  const before = path.slice(0, at);
  const firstKept = before.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  return [compaction, ...(firstKept < 0 ? [] : before.slice(firstKept)), ...path.slice(at + 1)];
}

export function buildSessionContext(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: ById,
): SessionContext {
  return buildContext(pathTo(entries, leafId, byId));
}

/** The context with the entries it is made of. */
export function buildSessionProjection(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: ById,
) {
  const path = pathTo(entries, leafId, byId);
  const { thinkingLevel, model } = buildContext(path);
  const sources = buildContextEntries(entries, leafId, byId);
  const seen = new Map(withEdits(sources, path).map((entry) => [entry.id, entry]));
  const projected = sources.map((sourceEntry) => {
    const entry = seen.get(sourceEntry.id);
    return { sourceEntry, messages: entry ? sessionEntryToContextMessages(entry) : [] };
  });
  const messages = projected.flatMap((one) => one.messages);
  return { entries: projected, messages, thinkingLevel, model };
}

function summaryOf({ summary, tokensBefore, timestamp }: CompactionEntry): AgentMessage {
  return { role: "compactionSummary", summary, tokensBefore, timestamp: Date.parse(timestamp) };
}

/**
 * The entries from the root to a leaf: the last entry unless told otherwise, none if it is null.
 */
function pathTo(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: ById,
): SessionEntry[] {
  if (leafId === null) return [];
  const known = byId ?? new Map(entries.map((entry) => [entry.id, entry]));
  const path: SessionEntry[] = [];
  const seen = new Set<string>();
  let entry = leafId === undefined ? entries.at(-1) : (known.get(leafId) ?? entries.at(-1));
  while (entry && !seen.has(entry.id)) {
    seen.add(entry.id);
    path.unshift(entry);
    entry = entry.parentId === null ? undefined : known.get(entry.parentId);
  }
  return path;
}
