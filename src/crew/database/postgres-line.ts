import postgres from "postgres";

const CONNECT_SECONDS = 10;

export type Sending = Pick<postgres.Sql, "unsafe">;

/**
 * One connection to a server of Postgres. It can die without either end being told: a cable is
 * pulled, a router forgets, a laptop sleeps. So it is over when an answer takes too long, and also
 * when it was closed: the driver can wait for ever, or throw where nobody can catch it, if something
 * is sent over a connection that it has to make anew (porsager/postgres issues 1154 and 1208).
 */
export class PostgresLine {
  readonly #sql: postgres.Sql;
  readonly #silenceMs: number;
  #end: "closed" | "silent" | undefined;

  constructor(url: string, silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.#sql = postgres(url, {
      max: 1,
      connect_timeout: CONNECT_SECONDS,
      onnotice: () => {},
      onclose: () => this.#over("closed"),
    });
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Each question that is asked over the line has its own time to be answered in. */
  async ask<T>(questions: (sending: Sending) => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#over("silent"), this.#silenceMs);
    const unsafe: Sending["unsafe"] = (text, values) => {
      if (this.isOver) throw new Error("the connection to the database was closed");
      timer.refresh();
      return this.#sql.unsafe(text, values);
    };
    try {
      return await questions({ unsafe });
    } catch (error) {
      if (this.#end !== "silent") throw error;
      const text = `the database did not answer within ${this.#silenceMs / 1_000} seconds`;
      throw new Error(text, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#end ??= "closed";
    await this.#sql.end({ timeout: 2 });
  }

  /** Whoever still waits for an answer of a silent server is told at once that none comes. */
  #over(end: "closed" | "silent"): void {
    if (this.isOver) return;
    this.#end = end;
    this.#sql.end({ timeout: end === "silent" ? 0 : CONNECT_SECONDS }).catch(() => {});
  }
}
