import type { HookService } from "./hooks/hook-service.ts";
import type { Log } from "./log.ts";
import type { RecordQueue } from "./record-queue.ts";
import type { Spool } from "./spool/spool.ts";

interface Parts {
  readonly hookService: Pick<HookService, "late">;
  readonly spool: Spool;
  readonly queue: Pick<RecordQueue, "length">;
  readonly log: Log;
}

/** So long others wait for their answers at most. */
const SLICE_MS = 50;
/** Between two slices others are answered. */
const PAUSE_MS = 20;
/** What waits for the record is in memory; what waits in the spool is not. */
const MOST_WAITING = 1_000;

/**
 * Takes up what clients left when there was no daemon, or when they could not wait: a little at a time,
 * for it may be a flood, and agents wait meanwhile.
 */
export class LateHooks {
  readonly #parts: Parts;
  /** What was found and not taken up yet, the oldest at the end. */
  #left: string[] = [];
  #next: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes up what can be taken up in this time, and goes on with the rest by itself. */
  take(ms = SLICE_MS): void {
    if (this.#left.length === 0) this.#left = this.#parts.spool.leftovers().reverse();
    const until = performance.now() + ms;
    while (performance.now() < until && this.#parts.queue.length < MOST_WAITING) {
      const name = this.#left.pop();
      if (name === undefined) return;
      this.#takeUp(name);
    }
    if (this.#left.length > 0) this.#goOn();
  }

  stop(): void {
    clearTimeout(this.#next);
    this.#left = [];
  }

  #takeUp(name: string): void {
    const { hookService, spool } = this.#parts;
    const left = spool.read(name);
    if (!left) return;
    const { id, agent, hook, pid, text } = left;
    if (hookService.late({ id, at: left.at.toISOString(), agent, hook, pid, text }))
      spool.remove(name);
  }

  #goOn(): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => {
      try {
        this.take();
      } catch (error) {
        this.#parts.log.failed("the spool could not be read", error);
      }
    }, PAUSE_MS);
    this.#next.unref();
  }
}
