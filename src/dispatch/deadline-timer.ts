/** A handler that returned a promise and has not settled yet. */
export interface Timed {
  /** False once there is nothing to watch any more. */
  readonly active: boolean;
  readonly deadlineMs: number;
  /** Someone waits for the decision: the process must live until it is there. */
  readonly awaited: boolean;
  /** How long it has run, as far as that counts against the deadline. */
  elapsed(now: number): number;
  expire(): void;
}

const SLOWEST_TICK_MS = 100;
const FASTEST_TICK_MS = 5;

/**
 * One timer for all deadlines: a timer per handler would cost more than most handlers do.
 * It ticks only while something runs, and keeps the process alive only while a decision is
 * waited for.
 */
export class DeadlineTimer {
  readonly #running = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;
  #tickMs = SLOWEST_TICK_MS;
  #awaited = 0;

  /** What was added stays until it is deleted or seen to be inactive: adding it again costs little. */
  add(run: Timed): void {
    if (!this.#running.has(run)) {
      this.#running.add(run);
      if (run.awaited) this.#awaited++;
    }
    const tick = Math.max(FASTEST_TICK_MS, Math.min(SLOWEST_TICK_MS, run.deadlineMs / 4));
    if (!this.#timer || tick < this.#tickMs) {
      clearInterval(this.#timer);
      this.#tickMs = tick;
      this.#timer = setInterval(this.#check, tick);
      if (this.#awaited === 0) this.#timer.unref();
    } else if (run.awaited && this.#awaited === 1) {
      this.#timer.ref();
    }
  }

  delete(run: Timed): void {
    if (!this.#running.delete(run) || !run.awaited) return;
    if (--this.#awaited === 0) this.#timer?.unref();
  }

  readonly #check = () => {
    const now = performance.now();
    for (const run of this.#running) {
      if (!run.active) {
        this.delete(run);
      } else if (run.elapsed(now) >= run.deadlineMs) {
        this.delete(run);
        run.expire();
      }
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#tickMs = SLOWEST_TICK_MS;
  };
}
