import type { CrewDatabase } from "../database/crew-database.ts";

/** Why a step is to be given up without ending what it started: another process will go on with it. */
export const CLOSING = "this process ends";

interface Lease {
  readonly slot: string;
  readonly lost: AbortController;
}

interface Options {
  readonly database: CrewDatabase;
  readonly worker: string;
  readonly leaseMs: number;
  readonly log: (text: string) => void;
}

/**
 * The flows that this process is at work on. As long as it is, it does not take one of them again,
 * even if it was stopped for longer than the lease and nobody else took it.
 */
export class Leases {
  readonly #options: Options;
  readonly #held = new Map<string, Lease>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  get ids(): readonly string[] {
    return [...this.#held.keys()];
  }

  take(id: string, slot: string): void {
    this.#held.set(id, { slot, lost: new AbortController() });
    this.#timer ??= setInterval(() => void this.#extendAll(), this.#options.leaseMs / 3);
  }

  /** Aborted when the flow was cancelled or taken over, or with `CLOSING` when this process ends. */
  signalOf(id: string): AbortSignal {
    return this.#held.get(id)?.lost.signal ?? AbortSignal.abort();
  }

  lose(id: string): void {
    this.#held.get(id)?.lost.abort();
  }

  drop(id: string): void {
    this.#held.delete(id);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { lost } of this.#held.values()) lost.abort(CLOSING);
  }

  async #extendAll(): Promise<void> {
    for (const [id, lease] of [...this.#held]) {
      try {
        // It may have been put aside and taken again meanwhile: that is another lease.
        if ((await this.#extend(id, lease.slot)) || this.#held.get(id) !== lease) continue;
        lease.lost.abort((await this.#isOurs(id)) ? CLOSING : undefined);
      } catch (error) {
        // A failure to reach the database does not mean that the flow was taken over.
        this.#options.log(`a lease could not be extended: ${String(error)}`);
      }
    }
  }

  /** Whether another process of this worker has it: that one goes on with what was started here. */
  async #isOurs(id: string): Promise<boolean> {
    const { database, worker } = this.#options;
    const sql = "SELECT 1 FROM engine_runs WHERE id = ? AND worker = ? AND status <> 'canceled'";
    return (await database.all(sql, [id, worker])).length > 0;
  }

  async #extend(id: string, slot: string): Promise<boolean> {
    const { database, worker, leaseMs } = this.#options;
    const now = await database.clock();
    const changed = await database.run(
      "UPDATE engine_runs SET available_at = ? WHERE id = ? AND worker = ? AND slot = ? AND status = 'running'",
      [new Date(now.getTime() + leaseMs).toISOString(), id, worker, slot],
    );
    return changed > 0;
  }
}
