import { SeamError } from "../errors/index.ts";

/** What looks at everything on disk; a rebuild forgets first what it knew. */
export type PassKind = "pass" | "rebuild";

interface Pass {
  readonly number: number;
  readonly done: Promise<void>;
}

/**
 * Passes over what is on disk, counted from 1. One that is under way listed the transcripts before it
 * was asked for again, and may miss what was written since: only a later one is sure to see that.
 */
export class Passes {
  readonly #run: (kind: PassKind) => Promise<void>;
  #latest: Pass | undefined;
  #begun = 0;
  #ended = 0;
  #isClosed = false;

  constructor(run: (kind: PassKind) => Promise<void>) {
    this.#run = run;
  }

  get isUnderWay(): boolean {
    return this.#latest !== undefined;
  }

  /** The number of the first pass that sees everything that is on disk now. */
  get next(): number {
    return this.#begun + 1;
  }

  hasEnded(number: number): boolean {
    return this.#ended >= number;
  }

  /** Resolves when this pass or a later one has ended, and begins it if nobody did. */
  async through(wanted: number): Promise<void> {
    // Another daemon may have counted further before this one started.
    const number = Math.min(wanted, this.next);
    while (!this.hasEnded(number)) {
      if (this.#isClosed) throw new SeamError("SEAM_SEARCH_ENDED");
      const latest = this.#latest ?? this.begin("pass");
      if (latest.number >= number) return latest.done;
      // Whether an earlier one failed is for those who wait for it.
      await latest.done.catch(() => {});
    }
  }

  begin(kind: PassKind): Pass {
    const number = ++this.#begun;
    const over = () => {
      if (this.#latest === pass) this.#latest = undefined;
    };
    const run = this.#run(kind).finally(over);
    const done = run.then(() => {
      this.#ended = Math.max(this.#ended, number);
    });
    done.catch(() => {});
    const pass: Pass = { number, done };
    this.#latest = pass;
    return pass;
  }

  /** Whoever waits for a pass that has not begun is told that there will be none. */
  close(): void {
    this.#isClosed = true;
  }
}
