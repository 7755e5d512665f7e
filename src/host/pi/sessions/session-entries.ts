import type {
  AgentMessage,
  CompactionEntry,
  SessionEntry,
  SessionHeader,
} from "../../../events/index.ts";
import { isRecord } from "../../../values/index.ts";
import { buildContext, type SessionContext } from "../../session/build-context.ts";
import { withEdits } from "../../session/context-edits.ts";
import { entryMessage } from "../../session/entry-message.ts";
import { Migration } from "../../session/migrate.ts";
import { parseEntry, parseHeader } from "../../session/parse-entry.ts";
import { SESSION_VERSION } from "../../session/session-tree.ts";

export const CURRENT_SESSION_VERSION = SESSION_VERSION;

export type FileEntry = SessionHeader | SessionEntry;
type ById = ReadonlyMap<string, SessionEntry>;

/** The lines of a session file, as they are; lines that are no JSON are left out. */
export function parseSessionEntries(content: string): FileEntry[] {
  return content.split("\n").flatMap((line): FileEntry[] => {
    const value = line.trim() === "" ? undefined : orNothing(line);
    if (!isRecord(value)) return [];
    const parsed =
      value.type === "session" ? parseHeader(value, "") : parseEntry({ id: "", ...value })?.entry;
    // What an older version wrote has no ids yet: `migrateSessionEntries` gives it some.
    return [parsed ?? (value as unknown as SessionEntry)];
  });
}

/** Brings the entries of an older version up to the present one, in place. */
export function migrateSessionEntries(entries: FileEntry[]): void {
  const header = entries.find((entry): entry is SessionHeader => entry.type === "session");
  const version = header?.version ?? 1;
  if (version >= CURRENT_SESSION_VERSION) return;
  const migration = new Migration(version);
  for (const [index, entry] of entries.entries()) {
    if (entry.type === "session") entry.version = CURRENT_SESSION_VERSION;
    else migration.bringUp(Object(entry), index);
  }
}

export function getLatestCompactionEntry(entries: readonly SessionEntry[]): CompactionEntry | null {
  return entries.findLast((entry) => entry.type === "compaction") ?? null;
}

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

/** From the root to a leaf: the last entry unless told otherwise, none if it is null. */
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

function orNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
