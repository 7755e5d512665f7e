/**
 * One run of a handler, as far as the handler's context needs to know of it: a signal that fires
 * when nobody waits for the result any more, and a clock that can be stopped.
 */
export class HandlerCall {
  /** The handler's second argument, made by its owner for the first handler that gets it. */
  context: unknown;
  #touched = false;
  #abort: AbortController | undefined;
  #waits = 0;
  #waitingSince = 0;
  #waited = 0;
  #over = false;
  readonly #outer: AbortSignal | undefined;
  #both: AbortSignal | undefined;

  /** `outer`: a signal that ends the call as well. No listener is left on it. */
  constructor(outer?: AbortSignal) {
    this.#outer = outer;
  }

  /** Fires on abort and when the deadline has passed. Made only if someone asks for it. */
  get signal(): AbortSignal {
    this.#touched = true;
    this.#abort ??= new AbortController();
    if (this.#over) this.#abort.abort();
    if (!this.#outer) return this.#abort.signal;
    this.#both ??= AbortSignal.any([this.#outer, this.#abort.signal]);
    return this.#both;
  }

  /** Stops the clock while a person is asked. The function returned starts it again. */
  waitForPerson(): () => void {
    this.#touched = true;
    if (this.#waits++ === 0) this.#waitingSince = performance.now();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      if (--this.#waits === 0) this.#waited += performance.now() - this.#waitingSince;
    };
  }

  /** Milliseconds since `startedAt` that count against the deadline. */
  elapsed(startedAt: number, now: number): number {
    const open = this.#waits > 0 ? now - this.#waitingSince : 0;
    return now - startedAt - this.#waited - open;
  }

  /** Whether nobody has used its signal or its clock, so that it can serve another handler. */
  get untouched(): boolean {
    return !this.#touched;
  }

  /** Nobody waits for this run any more. */
  end(reason?: unknown): void {
    this.#over = true;
    this.#touched = true;
    this.#abort?.abort(reason);
  }
}
