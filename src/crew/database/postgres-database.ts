import postgres from "postgres";
import { isRecord } from "../../values/index.ts";
import type { CrewDatabase, Row, Value } from "./crew-database.ts";

/** Transactions of all machines follow one after the other: crews do less than one in a second. */
const ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7326211845)";
const CHANNEL = "seam_crew";
const MOST_CONNECTIONS = 4;
const CONNECT_SECONDS = 10;

type Sending = Pick<postgres.Sql, "unsafe">;

/** A database of Postgres, for several machines. */
export class PostgresDatabase implements CrewDatabase {
  readonly #sql: postgres.Sql;
  readonly #followers = new Set<() => void>();
  #listening: Promise<unknown> | undefined;

  constructor(url: string) {
    this.#sql = postgres(url, {
      max: MOST_CONNECTIONS,
      connect_timeout: CONNECT_SECONDS,
      onnotice: () => {},
    });
  }

  all(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    return all(this.#sql, sql, values);
  }

  run(sql: string, values: readonly Value[] = []): Promise<number> {
    return run(this.#sql, sql, values);
  }

  async transaction<T>(work: (database: CrewDatabase) => Promise<T>): Promise<T> {
    // What begin() gives back is typed for lists of queries, so the result is taken out by hand.
    const results: { readonly value: T }[] = [];
    await this.#sql.begin(async (sql) => {
      await sql.unsafe(ONE_AT_A_TIME);
      results.push({ value: await work(this.#inside(sql)) });
    });
    const [result] = results;
    if (!result) throw new Error("the transaction ended before its work");
    return result.value;
  }

  async clock(): Promise<Date> {
    return clockOf(this.#sql);
  }

  async announce(): Promise<void> {
    await this.#sql.notify(CHANNEL, "");
  }

  follow(hear: () => void): () => void {
    this.#followers.add(hear);
    this.#listening ??= this.#sql
      .listen(CHANNEL, () => {
        for (const follower of this.#followers) follower();
      })
      // Whoever follows also looks by itself now and then.
      .catch(() => {});
    return () => this.#followers.delete(hear);
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 2 });
  }

  #inside(sql: Sending): CrewDatabase {
    const inside: CrewDatabase = {
      all: (text, values = []) => all(sql, text, values),
      run: (text, values = []) => run(sql, text, values),
      transaction: (work) => work(inside),
      clock: () => clockOf(sql),
      announce: async () => {
        await sql.unsafe(`NOTIFY ${CHANNEL}`);
      },
      follow: (hear) => this.follow(hear),
      close: () => Promise.resolve(),
    };
    return inside;
  }
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
