import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type Libsql from "libsql";
import { systemCode } from "../../errors/index.ts";
import { libsql } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import { CoalescedSync } from "./coalesced-sync.ts";
import type { CrewDatabase, Row, Value } from "./crew-database.ts";

/** How long one waits for somebody else who writes. */
const BUSY_MS = 5_000;
/** SQLite itself holds the thread while it waits, in which the other one may be: it waits only briefly. */
const BRIEFLY_MS = 50;
const RETRY_MS = 10;
const MOST_PREPARED = 200;

/** A file of SQLite. One connection, on which transactions wait for each other. */
export class SqliteDatabase implements CrewDatabase {
  readonly #database: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement>();
  readonly #followers = new Set<() => void>();
  readonly #sync: CoalescedSync;
  /** Ends with the last transaction that was begun. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Nobody else may read it, nor the files SQLite makes beside it.
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
    this.#database = new (libsql())(path, { timeout: BRIEFLY_MS });
    // The log is put on the disk here, beside the thread, and not by SQLite after every transaction.
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    this.#sync = new CoalescedSync(() => syncFile(`${path}-wal`));
  }

  all(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#alone(() => patiently(() => this.#all(sql, values)));
  }

  run(sql: string, values: readonly Value[] = []): Promise<number> {
    return this.#alone(async () => {
      const changes = await patiently(() => this.#run(sql, values));
      this.#sync.wrote();
      return changes;
    });
  }

  transaction<T>(work: (database: CrewDatabase) => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      await patiently(() => this.#database.exec("BEGIN IMMEDIATE"));
      try {
        const result = await work(this.#inside());
        this.#database.exec("COMMIT");
        this.#sync.wrote();
        return result;
      } catch (error) {
        if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  async clock(): Promise<Date> {
    return new Date();
  }

  async announce(): Promise<void> {
    for (const hear of this.#followers) hear();
  }

  follow(hear: () => void): () => void {
    this.#followers.add(hear);
    return () => this.#followers.delete(hear);
  }

  settled(): Promise<void> {
    return this.#sync.settled();
  }

  async close(): Promise<void> {
    await this.#alone(async () => {
      await this.#sync.settled();
      this.#statements.clear();
      this.#database.close();
    });
  }

  /** What a transaction's work gets: it is alone already. */
  #inside(): CrewDatabase {
    const inside: CrewDatabase = {
      all: async (sql, values = []) => this.#all(sql, values),
      run: async (sql, values = []) => this.#run(sql, values),
      transaction: (work) => work(inside),
      clock: () => this.clock(),
      announce: () => this.announce(),
      follow: (hear) => this.follow(hear),
      settled: () => this.settled(),
      close: () => Promise.resolve(),
    };
    return inside;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #all(sql: string, values: readonly Value[]): Row[] {
    return this.#prepared(sql)
      .all(...values)
      .filter(isRecord);
  }

  #run(sql: string, values: readonly Value[]): number {
    return this.#prepared(sql).run(...values).changes;
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

/** A log that is not there has nothing in it: SQLite removes it when it has put all of it into the file. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
    return undefined;
  });
  try {
    await file?.datasync();
  } finally {
    await file?.close();
  }
}

async function patiently<T>(work: () => T): Promise<T> {
  for (const deadline = Date.now() + BUSY_MS; ; ) {
    try {
      return work();
    } catch (error) {
      if (systemCode(error) !== "SQLITE_BUSY" || Date.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
