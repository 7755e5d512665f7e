import { GramWriter } from "../text/grams.ts";
import { indexedOutput, indexedWords } from "../text/words.ts";
import { type Database, numberIn, type Value } from "./database.ts";
import { numberOfRole, type Role, TOOL_ROLES } from "./roles.ts";

/** An entry as it is kept, without secrets. */
export interface KeptEntry {
  readonly session: number;
  readonly role: Role;
  /** Milliseconds. */
  readonly at?: number | undefined;
  readonly tool?: string | undefined;
  readonly position?: number;
  readonly offset?: number;
  readonly text: string;
}

/** So much text shares a row of the index of trigrams, not counting what tools were given and gave back. */
const BLOCK_CHARACTERS = 40_000;
/** Rows are handed to SQLite when there are so many. */
const MOST_ROWS = 480;
/** What is written is kept for good after so much text; a daemon that is killed loses no more. */
const COMMIT_CHARACTERS = 8_000_000;

/** Writes entries, in transactions that hold those of several transcripts. */
export class IndexWriter {
  readonly database: Database;
  readonly #grams = new GramWriter();
  /** What is to be written, of several sources: many rows at once are quicker. */
  #rows = new Rows();
  #isOpen = false;
  #pending = 0;
  #lastId: number | undefined;
  #lastBlock: number | undefined;

  constructor(database: Database) {
    this.database = database;
  }

  /** Entries of one source, which stay together. */
  add(source: number, entries: readonly KeptEntry[]): void {
    this.begin();
    const rows = this.#rows;
    let first = this.#nextId();
    let size = 0;
    for (const [index, entry] of entries.entries()) {
      const id = this.#nextId();
      this.#lastId = id;
      rows.add(id, entry);
      this.#pending += entry.text.length;
      if (!TOOL_ROLES.has(entry.role)) {
        this.#grams.add(entry.text);
        size += entry.text.length;
      }
      if (size < BLOCK_CHARACTERS && index < entries.length - 1) continue;
      const block = this.#nextBlock();
      this.#lastBlock = block;
      rows.blocks.push([block, first, id, source]);
      const grams = this.#grams.take();
      if (grams !== "") rows.grams.push([block, grams]);
      first = id + 1;
      size = 0;
    }
    if (rows.count >= MOST_ROWS) this.#writeRows();
  }

  /** Takes everything out that came from a source, but not what is known of its session. */
  removeEntries(source: number): void {
    this.begin();
    this.#writeRows();
    for (const row of this.database.all(
      "SELECT id, first, last FROM blocks WHERE source = ?",
      source,
    )) {
      const first = numberIn(row, "first") ?? 0;
      const last = numberIn(row, "last") ?? -1;
      this.database.run("DELETE FROM grams WHERE rowid = ?", numberIn(row, "id") ?? 0);
      for (const table of ["words", "outputs"]) {
        // A table without texts takes no range.
        for (let id = first; id <= last; id++)
          this.database.run(`DELETE FROM ${table} WHERE rowid = ?`, id);
      }
      this.database.run("DELETE FROM entries WHERE id BETWEEN ? AND ?", first, last);
    }
    this.database.run("DELETE FROM blocks WHERE source = ?", source);
    this.database.run("DELETE FROM calls WHERE source = ?", source);
  }

  /** Takes out every entry of a session, whatever else its sources hold. */
  removeSession(session: number): void {
    this.begin();
    this.#writeRows();
    const { database } = this;
    for (const row of database.all("SELECT id FROM entries WHERE session = ?", session)) {
      const id = numberIn(row, "id") ?? 0;
      for (const table of ["words", "outputs"])
        database.run(`DELETE FROM ${table} WHERE rowid = ?`, id);
    }
    database.run("DELETE FROM entries WHERE session = ?", session);
    const empty = database.all(
      "SELECT id FROM blocks b WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id BETWEEN b.first AND b.last)",
    );
    for (const row of empty) {
      const block = numberIn(row, "id") ?? 0;
      database.run("DELETE FROM grams WHERE rowid = ?", block);
      // The newest says which ids were given away.
      database.run("DELETE FROM blocks WHERE id = ? AND id < (SELECT max(id) FROM blocks)", block);
    }
  }

  begin(): void {
    if (this.#isOpen) return;
    this.database.exec("BEGIN IMMEDIATE");
    this.#isOpen = true;
    this.#lastId = undefined;
    this.#lastBlock = undefined;
  }

  commitIfMuch(): void {
    if (this.#pending >= COMMIT_CHARACTERS) this.commit();
  }

  commit(): void {
    if (!this.#isOpen) return;
    this.#writeRows();
    this.database.exec("COMMIT");
    this.#isOpen = false;
    this.#pending = 0;
  }

  /** Forgets what was not committed. */
  rollBack(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#pending = 0;
    this.#grams.take();
    this.#rows = new Rows();
    this.database.exec("ROLLBACK");
  }

  #writeRows(): void {
    const rows = this.#rows;
    this.#rows = new Rows();
    rows.write(this.database);
  }

  /** Ids rise and are never used again: the newest entries are those with the highest. */
  #nextId(): number {
    this.#lastId ??= numberIn(this.database.one("SELECT max(last) AS id FROM blocks"), "id") ?? 0;
    return this.#lastId + 1;
  }

  #nextBlock(): number {
    this.#lastBlock ??= numberIn(this.database.one("SELECT max(id) AS id FROM blocks"), "id") ?? 0;
    return this.#lastBlock + 1;
  }
}

/** What is to be written, by table. */
class Rows {
  readonly blocks: Value[][] = [];
  readonly grams: Value[][] = [];
  readonly #entries: Value[][] = [];
  readonly #words: Value[][] = [];
  readonly #outputs: Value[][] = [];

  get count(): number {
    return this.#entries.length;
  }

  add(id: number, { session, role, at, tool, position, offset, text }: KeptEntry): void {
    const place = [position ?? null, offset ?? null];
    this.#entries.push([id, session, numberOfRole(role), at ?? null, tool ?? null, ...place, text]);
    if (TOOL_ROLES.has(role)) this.#outputs.push([id, indexedOutput(text)]);
    else this.#words.push([id, indexedWords(text)]);
  }

  write(database: Database): void {
    database.insert("entries", this.#entries);
    database.insert("words (rowid, text)", this.#words);
    database.insert("outputs (rowid, text)", this.#outputs);
    database.insert("grams (rowid, text)", this.grams);
    database.insert("blocks", this.blocks);
  }
}
