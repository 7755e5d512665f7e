import { SeamError } from "../errors/index.ts";

/**
 * Changes of the session: its extensions, its file, the place in its tree. One is made at a time,
 * and no work begins meanwhile: nobody would look at its tool calls, and what it says would end up
 * on two branches.
 */
export class SessionChanges {
  #last: Promise<void> | undefined;
  #closed = false;

  get underWay(): boolean {
    return this.#last !== undefined;
  }

  /** The agent was disposed of. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Resolves when no change is under way. */
  async settled(): Promise<void> {
    while (this.#last) await this.#last;
  }

  /** Begins something as soon as no change is under way. Rejects if the agent was disposed of. */
  async begin<T>(work: () => T | Promise<T>): Promise<T> {
    // The state is looked at again each time: another change may have come first.
    while (this.#last) await this.#last;
    this.assertOpen();
    return work();
  }

  /** Makes a change once those before it are made. */
  async make<T>(change: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const before = this.#last;
    let done: () => void = () => {};
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#last = mine;
    try {
      await before;
      this.assertOpen();
      return await change();
    } finally {
      if (this.#last === mine) this.#last = undefined;
      done();
    }
  }

  /** Nothing begins from now on. Waits for the change that is under way, but not for ever. */
  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    let timer: NodeJS.Timeout | undefined;
    const longEnough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.settled(), longEnough]);
    clearTimeout(timer);
  }

  assertOpen(): void {
    if (this.#closed) throw new SeamError("SEAM_AGENT_DISPOSED");
  }
}
