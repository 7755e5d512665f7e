import postgres from "postgres";
import { systemCode } from "../../errors/index.ts";
import { isRecord } from "../../values/index.ts";
import type { CrewDatabase, Row, Value } from "./crew-database.ts";
import { PostgresLine, type Sending } from "./postgres-line.ts";

const CHANNEL = "seam_crew";

/** A database of Postgres, for several machines. */
export class PostgresDatabase implements CrewDatabase {
  readonly #url: string;
  readonly #silenceMs: number;
  readonly #followers = new Set<() => void>();
  #statements: PostgresLine;
  #transactions: PostgresLine;
  #listening: postgres.Sql | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** Ends with the last transaction that was begun. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(url: string, silenceMs: number) {
    this.#url = url;
    this.#silenceMs = silenceMs;
    this.#statements = this.#line();
    this.#transactions = this.#line();
  }

  all(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#ask((sending) => all(sending, sql, values));
  }

  run(sql: string, values: readonly Value[] = []): Promise<number> {
    return this.#ask((sending) => run(sending, sql, values));
  }

  /** Transactions wait for each other on this machine, so that one connection is enough for them. */
  transaction<T>(work: (database: CrewDatabase) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => {
      if (this.#transactions.isOver) this.#transactions = this.#line();
      const line = this.#transactions;
      return line.ask((sending) => this.#transaction(line, sending, work));
    });
    this.#last = done.catch(() => {});
    return done;
  }

  clock(): Promise<Date> {
    return this.#ask(clockOf);
  }

  async announce(): Promise<void> {
    await this.#ask(announce);
  }

  follow(hear: () => void): () => void {
    this.#followers.add(hear);
    this.#listen();
    // A connection that only listens does not notice that it is dead, so everybody looks now and then.
    this.#looking ??= setInterval(() => this.#tell(), this.#silenceMs / 2);
    return () => this.#followers.delete(hear);
  }

  /** The server has put on its disk what it has confirmed. */
  settled(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    const lines = [this.#statements, this.#transactions];
    await Promise.all([...lines.map((line) => line.close()), this.#listening?.end({ timeout: 2 })]);
  }

  #line(): PostgresLine {
    return new PostgresLine(this.#url, this.#silenceMs);
  }

  #ask<T>(question: (sending: Sending) => Promise<T>): Promise<T> {
    if (this.#statements.isOver) this.#statements = this.#line();
    return this.#statements.ask(question);
  }

  async #transaction<T>(
    line: PostgresLine,
    sending: Sending,
    work: (database: CrewDatabase) => Promise<T>,
  ): Promise<T> {
    await this.#takeTurn(sending);
    try {
      const result = await work(this.#inside(sending));
      await sending.unsafe("COMMIT");
      return result;
    } catch (error) {
      // The server takes back by itself what came over a connection that is gone.
      if (!line.isOver) await sending.unsafe("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  /** Begins a transaction. Whoever holds up all others with one is ended, in case its machine is gone. */
  async #takeTurn(sending: Sending): Promise<void> {
    await sending.unsafe("BEGIN");
    try {
      await sending.unsafe(oneAtATime(this.#silenceMs));
    } catch (error) {
      if (systemCode(error) !== LOCK_TIMEOUT) throw error;
      await sending.unsafe("ROLLBACK");
      await this.#ask((other) => other.unsafe(endSilent(this.#silenceMs)));
      await sending.unsafe("BEGIN");
      await sending.unsafe(oneAtATime(this.#silenceMs));
    }
  }

  #listen(): void {
    if (this.#listening) return;
    const tell = () => this.#tell();
    this.#listening = postgres(this.#url, { max: 1, onnotice: () => {} });
    // Something may have been announced before the connection was there.
    this.#listening.listen(CHANNEL, tell, tell).catch(() => {});
  }

  #tell(): void {
    for (const follower of this.#followers) follower();
  }

  #inside(sending: Sending): CrewDatabase {
    const inside: CrewDatabase = {
      all: (text, values = []) => all(sending, text, values),
      run: (text, values = []) => run(sending, text, values),
      transaction: (work) => work(inside),
      clock: () => clockOf(sending),
      announce: () => announce(sending),
      follow: (hear) => this.follow(hear),
      settled: () => this.settled(),
      close: () => Promise.resolve(),
    };
    return inside;
  }
}

const LOCK_TIMEOUT = "55P03";
/** The number by which the lock is known, as `pg_locks` shows it: in two halves. */
const LOCK = { high: 1, low: 3_031_244_549 };

/**
 * Transactions of all machines follow one after the other: crews do less than one in a second. If a
 * machine falls silent in its turn, the server ends it soon, so that the others, who wait for it, do
 * not come to believe that the server is silent.
 */
const oneAtATime = (silenceMs: number) =>
  `SELECT set_config('idle_in_transaction_session_timeout', '${Math.ceil(silenceMs / 3)}', true),
     set_config('lock_timeout', '${Math.ceil(silenceMs / 2)}', true),
     pg_advisory_xact_lock((${LOCK.high}::bigint << 32) + ${LOCK.low})`;

/** The server waits without a limit for the second half of a question whose first half has come. */
const endSilent = (silenceMs: number) =>
  `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
   WHERE locktype = 'advisory' AND granted AND classid = ${LOCK.high} AND objid = ${LOCK.low}
     AND datname = current_database() AND pg_locks.database = pg_stat_activity.datid
     AND xact_start < clock_timestamp() - interval '${Math.ceil(silenceMs / 3)} milliseconds'`;

async function announce(sending: Sending): Promise<void> {
  await sending.unsafe(`NOTIFY ${CHANNEL}`);
}

async function all(sql: Sending, text: string, values: readonly Value[]): Promise<Row[]> {
  const rows = await sql.unsafe(numbered(text), [...values]);
  return rows.filter(isRecord);
}

async function run(sql: Sending, text: string, values: readonly Value[]): Promise<number> {
  return (await sql.unsafe(numbered(text), [...values])).count;
}

async function clockOf(sql: Sending): Promise<Date> {
  const [row] = await all(sql, "SELECT clock_timestamp() AS now", []);
  return row?.now instanceof Date ? row.now : new Date();
}

/** Postgres numbers what a statement is given: the first `?` is `$1`. Texts in quotes stay as they are. */
function numbered(text: string): string {
  let last = 0;
  return text.replace(/'[^']*'|\?/g, (part) => (part === "?" ? `$${++last}` : part));
}
