import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type Libsql from "libsql";
import { messageOf, SeamError, systemCode } from "../../errors/index.ts";
import {
  folderRefusal,
  forThisProcess,
  libsql,
  markVersion,
  storeVersion,
} from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import { FULL_TEXT, INDEXES, SCHEMA } from "./schema.ts";

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** SQLite whose rows are checked where they are read. */
export class Database {
  readonly #database: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement>();

  constructor(path: string, busyMs = BUSY_MS) {
    this.#database = new (libsql())(forThisProcess(path), { timeout: busyMs });
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  run(sql: string, ...values: Value[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  /**
   * One row after the other: for a statement with many, SQLite makes a savepoint, before which FTS5
   * writes all it holds in memory to disk, in pieces that are merged again and again.
   */
  insert(into: string, rows: readonly (readonly Value[])[]): void {
    const [first] = rows;
    if (!first) return;
    const statement = this.#prepared(
      `INSERT INTO ${into} VALUES (${first.map(() => "?").join(", ")})`,
    );
    for (const row of rows) statement.run(...row);
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepared(sql)
      .all(...values)
      .filter(isRecord);
  }

  one(sql: string, ...values: Value[]): Row | undefined {
    const row = this.#prepared(sql).get(...values);
    return isRecord(row) ? row : undefined;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): Libsql.Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      if (this.#statements.size >= MOST_PREPARED) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** How long one waits for another process that writes. */
const BUSY_MS = 5_000;
const MOST_PREPARED = 200;

export function numberIn(row: Row | undefined, name: string): number | undefined {
  const value = row?.[name];
  return typeof value === "number" ? value : undefined;
}

export function textIn(row: Row | undefined, name: string): string | undefined {
  const value = row?.[name];
  return typeof value === "string" ? value : undefined;
}

export const indexFolder = (home: string) => join(home, "search");
const fileIn = (folder: string) => join(folder, "index.db");
const FILES = ["", "-wal", "-shm"];

/** What is kept in memory before it is written: more makes fewer and larger pieces on disk. */
const PENDING_BYTES = 4 * 1024 * 1024;
const CACHE_KB = 16 * 1024;
/** What was written goes to its place in the file after so many pages: 64 MB. */
const CHECKPOINT_PAGES = 16 * 1024;

/**
 * Opens the index to write to it, and makes it if it is not there. One that is damaged, or of an
 * earlier form, is made anew: everything in it comes from elsewhere. Throws if a newer Seam made it.
 */
export function openToWrite(home: string, log: (text: string) => void, busyMs?: number): Database {
  const folder = indexFolder(home);
  const refusal = folderRefusal("index", folder);
  if (refusal) throw refusal;
  const file = fileIn(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Nobody else may read it, nor the files SQLite makes beside it.
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
    const database = opened(file, busyMs);
    if (database) return marked(folder, database);
    log("The index of search is damaged, or of an earlier Seam, and is made anew.");
    removeIndex(home);
    closeSync(openSync(file, "a", 0o600));
    const anew = opened(file, busyMs);
    if (!anew) throw new Error("a new index cannot be read");
    return marked(folder, anew);
  } catch (error) {
    throw asRefusal(error, file);
  }
}

function marked(folder: string, database: Database): Database {
  markVersion("index", folder);
  return database;
}

/** Undefined if what is there is no index of this form. */
function opened(file: string, busyMs?: number): Database | undefined {
  const database = new Database(file, busyMs);
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KB}; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`,
    );
    const version = numberIn(database.one("PRAGMA user_version"), "user_version");
    const isEmpty = database.one("SELECT 1 FROM sqlite_master") === undefined;
    if (isEmpty) {
      database.exec(
        `BEGIN IMMEDIATE;${SCHEMA}PRAGMA user_version = ${storeVersion("index")};COMMIT;`,
      );
    } else if (version !== storeVersion("index")) {
      database.close();
      return undefined;
    }
    database.exec(INDEXES);
    for (const table of FULL_TEXT) {
      database.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${PENDING_BYTES})`);
    }
    return database;
  } catch (error) {
    database.close();
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** Opens the index to look things up; undefined if there is none yet. Throws what SQLite says of a damaged one. */
export function openToRead(home: string): Database | undefined {
  const folder = indexFolder(home);
  const refusal = folderRefusal("index", folder);
  if (refusal) throw refusal;
  const file = fileIn(folder);
  if (!existsSync(file)) return undefined;
  try {
    const database = new Database(file);
    database.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${CACHE_KB};`);
    const version = numberIn(database.one("PRAGMA user_version"), "user_version");
    if (version === storeVersion("index")) return database;
    database.close();
    return undefined;
  } catch (error) {
    throw isDamage(error) ? error : asRefusal(error, file);
  }
}

/** Whether an index was ever made here. */
export function hasIndex(home: string): boolean {
  return indexNumber(home) !== undefined;
}

/** The numbers of the files that are the index now: one that was made anew has others. */
export function indexNumber(home: string): string | undefined {
  const [main, log] = filesOf(home);
  return main && `${main.ino} ${log?.ino}`;
}

type IndexFiles = readonly (Stats | undefined)[];

/** The file that is the index, and the one beside it with what was written last. */
export function filesOf(home: string): IndexFiles {
  const file = fileIn(indexFolder(home));
  return [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false }));
}

/**
 * Whether these are still the same files. Whoever has them open does not notice that somebody removed,
 * replaced or cut them, and goes on writing what nobody will ever read. They only grow by themselves.
 */
export function isSameIndex(before: IndexFiles, now: IndexFiles): boolean {
  return before.every((file, n) => {
    const found = now[n];
    return !file || (found?.ino === file.ino && found.size >= file.size);
  });
}

/** Everything that can be made again. Throws, and removes nothing, if a newer Seam made it. */
export function removeIndex(home: string): void {
  const refusal = folderRefusal("index", indexFolder(home));
  if (refusal) throw refusal;
  for (const suffix of FILES) rmSync(fileIn(indexFolder(home)) + suffix, { force: true });
}

/** Whether SQLite found that the file is not, or no longer, a database as it should be. */
export function isDamage(error: unknown): boolean {
  const code = systemCode(error) ?? "";
  // A file that ends too early is reported as an error of the disk.
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)) return true;
  return /malformed|not a database|no such table|vtable constructor failed/.test(messageOf(error));
}

/** What went wrong with the index, with what to do about it. */
export function asRefusal(error: unknown, path: string): SeamError {
  if (error instanceof SeamError) return error;
  const isBusy = /SQLITE_BUSY|database is locked/.test(`${systemCode(error)} ${messageOf(error)}`);
  const code = isBusy ? "SEAM_INDEX_BUSY" : "SEAM_INDEX_FAILED";
  return new SeamError(code, { path, detail: messageOf(error) }, { cause: error });
}
