/** An object as it came out of a session file. */
export type RawEntry = Record<string, unknown>;

/**
 * Brings entries of older versions to version 3, one after the other as they are read: version 1
 * was a list without ids, version 2 called messages of extensions `hookMessage`.
 */
export class Migration {
  readonly #version: number;
  #previousId: string | null = null;

  constructor(version: number) {
    this.#version = version;
  }

  /** `index`: which line that is JSON this was, the header being 0. */
  bringUp(entry: RawEntry, index: number): RawEntry {
    if (this.#version < 2) this.#addIds(entry, index);
    if (this.#version < 3) renameRole(entry);
    return entry;
  }

  #addIds(entry: RawEntry, index: number): void {
    entry.id = idAt(index);
    entry.parentId = this.#previousId;
    this.#previousId = idAt(index);
    const kept = entry.firstKeptEntryIndex;
    if (entry.type !== "compaction" || typeof kept !== "number") return;
    delete entry.firstKeptEntryIndex;
    // Index 0 is the header: then nothing before the compaction is kept.
    entry.firstKeptEntryId = kept > 0 && kept < index ? idAt(kept) : entry.id;
  }
}

/** The same at every opening: ids seen before the file is first rewritten stay good. */
function idAt(index: number): string {
  return index.toString(16).padStart(8, "0");
}

function renameRole({ type, message }: RawEntry): void {
  if (type !== "message" || typeof message !== "object" || message === null) return;
  if ("role" in message && message.role === "hookMessage") message.role = "custom";
}
