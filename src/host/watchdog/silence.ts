import { LOOKS } from "./shared-board.ts";
import type { Suspicion } from "./suspects.ts";
import { Workload } from "./workload.ts";

/**
 * The share of the limit for which a loop must have had a processor: on a busy machine it gets
 * less.
 */
const LEAST_OF_LIMIT = 0.5;
/** So many times the limit for what may come back by itself, or may not be an extension at all. */
const PATIENCE = 6;

type Work = Pick<Workload, "restart" | "look" | "cpuMs" | "isRunning">;

/**
 * Since when the main thread was not heard of, counted in looks of the watching thread: a machine
 * that sleeps and a process that is stopped make no looks.
 */
export class Silence {
  readonly #workload: Work;
  #looks = 0;

  constructor(workload: Work = new Workload()) {
    this.#workload = workload;
  }

  /** The thread was heard of. */
  end(): void {
    this.#looks = 0;
    this.#workload.restart();
  }

  /** It was not. */
  look(): void {
    this.#looks++;
    this.#workload.look();
  }

  /** How long it has lasted. */
  ms(tickMs: number): number {
    return this.#looks * tickMs;
  }

  /**
   * Whether it has lasted too long. A thread that only waited, for a program or a lock, is given
   * more time; so is one in which nothing of an extension is known to run. One that could run and
   * does not get a processor is not stuck, however long that takes.
   */
  isTooLong(tickMs: number, how: Suspicion["how"]): boolean {
    if (this.#looks <= LOOKS) return false;
    const { cpuMs, isRunning } = this.#workload;
    const isBusy = cpuMs >= tickMs * LOOKS * LEAST_OF_LIMIT;
    if (isBusy && how !== "unknown") return true;
    if (this.#looks <= LOOKS * PATIENCE) return false;
    return isBusy || !isRunning;
  }
}
