/** How long something that was told to end is waited for. */
const GRACE_MS = 250;
const LONGEST_MS = 2 ** 31 - 1;

/** Work that is waited for. */
interface Open {
  cut(error: Error): void;
}

/**
 * Waiting that does not depend on the code that is waited for. When the thread is taken from an
 * extension, everything on the stack below it is gone too, and so is what Node was about to run
 * next: promises that would never settle. What runs `apart` can be lost without anyone else.
 */
export class Cuts {
  readonly #open = new Set<Open>();
  readonly #raised = new WeakSet<Error>();
  readonly #isNeeded: () => boolean;
  #alive: NodeJS.Timeout | undefined;

  /** `isNeeded`: whether there is anything on this thread that might not come back. */
  constructor(isNeeded: () => boolean) {
    this.#isNeeded = isNeeded;
  }

  /**
   * Does something on a stack of its own, and with nothing else waiting for its turn. Rejects with
   * the error of `raise` if it was cut off. With `end`, it is told to end first and given a moment.
   */
  apart<T>(work: () => T | Promise<T>, end?: (error: Error) => void): Promise<T> {
    const begin = async () => work();
    if (!this.#isNeeded()) return begin();
    return new Promise((resolve, reject) => {
      const settle = (tell: () => void) => {
        if (!this.#open.delete(open)) return;
        if (this.#open.size === 0) clearInterval(this.#alive);
        tell();
      };
      const open: Open = {
        cut: (error) => {
          const give = () => settle(() => reject(error));
          if (!end) return give();
          setTimeout(give, GRACE_MS);
          end(error);
        },
      };
      // Someone waits, and nothing else may be left that keeps the process alive.
      if (this.#open.size === 0) this.#alive = setInterval(() => {}, LONGEST_MS);
      this.#open.add(open);
      onItsOwn(() => {
        if (!this.#open.has(open)) return;
        begin().then(
          (value) => onItsOwn(() => settle(() => resolve(value))),
          (thrown: unknown) => onItsOwn(() => settle(() => reject(thrown))),
        );
      });
    });
  }

  /** The same, for something that can be done without. */
  step<T>(work: () => T | Promise<T>, otherwise: T): Promise<T> {
    return this.apart(work).catch((thrown: unknown) => {
      if (this.isCut(thrown)) return otherwise;
      throw thrown;
    });
  }

  /** The thread was taken away: nobody waits any longer for what may have been lost. */
  raise(error: Error): void {
    this.#raised.add(error);
    for (const open of [...this.#open]) open.cut(error);
  }

  isCut(thrown: unknown): boolean {
    return thrown instanceof Error && this.#raised.has(thrown);
  }
}

/** Runs something when nothing else is at work or waits for its turn. */
export function onItsOwn(run: () => void): void {
  // Not in the immediate itself: Node would lose those after it.
  setImmediate(() => queueMicrotask(run));
}
