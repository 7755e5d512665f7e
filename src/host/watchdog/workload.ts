import { readFileSync } from "node:fs";

const TICK_MS = 10;

interface Sample {
  /** Runs or could run: does not wait for anything. Unknown on some systems. */
  readonly isRunning?: boolean;
  readonly cpuMs: number;
}

/** Whether the main thread worked or waited since it was last heard of. */
export class Workload {
  readonly #sample: () => Sample;
  #first: Sample | undefined;
  #looks = 0;
  #running = 0;

  constructor(sample = mainThread) {
    this.#sample = sample;
  }

  /** It was heard of. */
  restart(): void {
    this.#first = undefined;
    this.#looks = 0;
    this.#running = 0;
  }

  /** It was not. */
  look(): void {
    const sample = this.#sample();
    this.#first ??= sample;
    this.#looks++;
    if (sample.isRunning) this.#running++;
  }

  get cpuMs(): number {
    return this.#first ? this.#sample().cpuMs - this.#first.cpuMs : 0;
  }

  /** It has something to do, whether or not the machine lets it. */
  get isRunning(): boolean {
    return this.#running * 2 > this.#looks;
  }
}

/** Reads Linux's own account of the thread; elsewhere only the whole process can be asked. */
function mainThread(): Sample {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, "latin1");
    // The name before it may hold anything, also blanks and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[10]) + Number(fields[11]);
    return { isRunning: state === "R", cpuMs: ticks * TICK_MS };
  } catch {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1_000 };
  }
}
