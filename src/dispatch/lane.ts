import { SeamError } from "../errors/index.ts";
import type { AnyEvent } from "../events/index.ts";
import { HandlerCall } from "./call.ts";
import type { Caller, Problem } from "./caller.ts";
import type { Handler, Owner } from "./handler.ts";

/** A context while a handler has it. */
export interface Borrowed {
  readonly call: HandlerCall;
  readonly context: unknown;
}

const MOST_SPARES = 8;

interface Waiting {
  handler: Handler;
  event: AnyEvent;
}

/**
 * The observed events of one extension, delivered one after the other, in order, without anyone
 * waiting for it. A slow extension falls behind alone; one that falls too far behind loses events,
 * and that is counted and said.
 */
export class Lane {
  readonly owner: Owner;
  readonly #caller: Caller;
  readonly #report: (problem: Problem) => void;
  readonly #limit: number;
  // Nobody waits for observation, so it does not keep the process alive either.
  readonly #waiting = { settle: () => this.#drain(), awaited: false };
  #queue: Waiting[] = [];
  #head = 0;
  #busy = false;
  #closed = false;
  #lost = 0;
  #idleWaiters: (() => void)[] = [];
  readonly #spares: Borrowed[] = [];

  constructor(
    owner: Owner,
    caller: Caller,
    report: (problem: Problem) => void,
    options: { limit: number },
  ) {
    this.owner = owner;
    this.#caller = caller;
    this.#report = report;
    this.#limit = options.limit;
  }

  get idle(): boolean {
    return !this.#busy;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Events that were dropped because the extension was too slow. */
  get lost(): number {
    return this.#lost;
  }

  /** A context for one call. */
  borrowContext(): Borrowed {
    const spare = this.#spares.pop();
    if (spare) return spare;
    const call = new HandlerCall();
    return { call, context: this.owner.createContext(call) };
  }

  /** A handler that is done gives its context back: no allocation per event. */
  returnContext(borrowed: Borrowed): void {
    if (borrowed.call.untouched && this.#spares.length < MOST_SPARES) this.#spares.push(borrowed);
  }

  offer(handler: Handler, event: AnyEvent): void {
    if (this.#busy) {
      if (this.#queue.length - this.#head < this.#limit) this.#queue.push({ handler, event });
      else this.#lose(event);
      return;
    }
    // Before the call: a handler may emit, and what it emits comes after what it is working on.
    this.#busy = true;
    const outcome = this.#caller.start(handler, event, this.#waiting);
    if (outcome) this.#drain();
  }

  /** Resolves when everything offered so far was delivered, or after `limitMs`. */
  caughtUp(limitMs: number): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, limitMs);
      function done() {
        clearTimeout(timer);
        resolve();
      }
      this.#idleWaiters.push(done);
    });
  }

  /** Nothing is delivered any more; what waits is dropped. */
  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#head = 0;
    this.#settle();
  }

  #drain(): void {
    while (this.#head < this.#queue.length) {
      const next = this.#queue[this.#head++];
      if (!next) break;
      // Keeps the array from growing for ever under an extension that never quite catches up.
      if (this.#head === 1024) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      if (!this.#caller.start(next.handler, next.event, this.#waiting)) return;
    }
    this.#queue = [];
    this.#head = 0;
    this.#settle();
  }

  #settle(): void {
    this.#busy = false;
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const done of waiters) done();
  }

  #lose(event: AnyEvent): void {
    this.#lost++;
    // At 1, 10, 100 …: a flood of losses must not become a flood of reports.
    if (!Number.isInteger(Math.log10(this.#lost))) return;
    this.#report({
      owner: this.owner,
      event: event.type,
      error: new SeamError("SEAM_QUEUE_FULL", {
        path: this.owner.path,
        event: event.type,
        lost: this.#lost,
      }),
    });
  }
}
