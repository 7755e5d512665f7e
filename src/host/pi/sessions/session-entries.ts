import type { CompactionEntry, SessionEntry, SessionHeader } from "../../../events/index.ts";
import { isRecord } from "../../../values/index.ts";
import { Migration } from "../../session/migrate.ts";
import { parseEntry, parseHeader } from "../../session/parse-entry.ts";
import { SESSION_VERSION } from "../../session/session-tree.ts";

export {
  buildContextEntries,
  buildSessionContext,
  buildSessionProjection,
  sessionEntryToContextMessages,
} from "../../session/projection.ts";

export const CURRENT_SESSION_VERSION = SESSION_VERSION;

export type FileEntry = SessionHeader | SessionEntry;

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

function orNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
