/**
 * What is to be done once an answer has left, a moment later. A daemon that goes on working keeps the
 * processor that the client was woken up on, and the agent waits for all of it: so it sleeps first.
 * Whoever comes next finds everything done, in its order.
 */
export class AfterAnswers {
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  add(work: () => void): void {
    this.#waiting.push(work);
    this.#timer ??= setTimeout(() => this.catchUp(), PAUSE_MS);
  }

  catchUp(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const work of this.#waiting.splice(0)) work();
  }
}

/** A client needs less than this to print its answer and to end. */
const PAUSE_MS = 2;
