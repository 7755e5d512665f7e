import { SeamError } from "../errors/index.ts";
import type { AnyEvent } from "../events/index.ts";
import { HandlerCall } from "./call.ts";
import type { Caller, Problem, Started } from "./caller.ts";
import type { Handler, Owner } from "./handler.ts";
import { addTime } from "./stats.ts";
import type { Running } from "./watch.ts";

/** A context while a handler has it. */
export interface Borrowed {
  readonly call: HandlerCall;
  readonly context: unknown;
}

interface Queued {
  readonly handler: Handler;
  readonly event: AnyEvent;
}

/** The observer that is being waited for. */
interface Current extends Started {
  readonly handler: Handler;
}

const MOST_SPARES = 8;

/**
 * The observed events of one extension, delivered one after the other, in order, without anyone
 * waiting for it. A slow extension falls behind alone; one that falls too far behind loses events,
 * and that is counted and said.
 */
export class Lane implements Running {
  readonly owner: Owner;
  readonly #caller: Caller;
  readonly #report: (problem: Problem) => void;
  readonly #limit: number;
  readonly #spares: Borrowed[] = [];
  #queue: Queued[] = [];
  #head = 0;
  #busy = false;
  #closed = false;
  #lost = 0;
  #idleWaiters: (() => void)[] = [];
  #current: Current | undefined;
  // Made once, not per event; made anew only when a late handler must not be heard any more.
  #listen = this.#newListeners();

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
    if (!this.#deliver(handler, event)) return;
    if (this.#queue.length > 0) this.#drain();
    else this.#settle();
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

  /** After a thread was taken from an extension in the middle of a delivery: the next one's turn. */
  recover(): void {
    if (this.#busy && !this.#current && !this.#closed) this.#drain();
  }

  /** Nothing is delivered any more; what waits is dropped. */
  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#head = 0;
    this.#settle();
  }

  // What the watch asks. Nobody waits for observation, so it does not keep the process alive.
  readonly awaited = false;
  get handler(): Handler | undefined {
    return this.#current?.handler;
  }
  get active(): boolean {
    return this.#current !== undefined;
  }
  get call(): HandlerCall | undefined {
    return this.#current?.borrowed.call;
  }
  get startedAt(): number {
    return this.#current?.startedAt ?? 0;
  }
  get deadlineMs(): number {
    return this.#current?.handler.deadlineMs ?? 0;
  }
  expire(): void {
    const current = this.#current;
    if (!current) return;
    this.#listen = this.#newListeners();
    this.#caller.expired(current.handler);
    current.borrowed.call.end();
    this.#finished(current);
  }

  listen(): void {
    this.#listen = this.#newListeners();
    this.#hear();
  }

  #hear(): void {
    Promise.resolve(this.#current?.returned).then(this.#listen.resolved, this.#listen.rejected);
  }

  /** True if the handler is done with the event already. */
  #deliver(handler: Handler, event: AnyEvent): boolean {
    const begun = this.#caller.begin(handler, event);
    if ("said" in begun) return true;
    this.#current = { handler, ...begun };
    this.#hear();
    this.#caller.watch.add(this);
    return false;
  }

  #newListeners() {
    const heard = (tell: (current: Current, value: unknown) => void) => (value: unknown) => {
      const current = this.#current;
      if (!current || this.#listen !== listeners) return;
      tell(current, value);
      if (current.borrowed.call.untouched) this.returnContext(current.borrowed);
      else current.borrowed.call.end();
      this.#finished(current);
    };
    const listeners = {
      // What an observer returns is of no interest.
      resolved: heard(() => {}),
      rejected: heard(({ handler }, thrown) => void this.#caller.rejected(handler, thrown)),
    };
    return listeners;
  }

  #finished({ handler, startedAt }: Current): void {
    addTime(handler.stats, performance.now() - startedAt);
    this.#current = undefined;
    this.#drain();
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
      if (!this.#deliver(next.handler, next.event)) return;
    }
    if (this.#queue.length > 0) this.#queue = [];
    this.#head = 0;
    this.#settle();
  }

  #settle(): void {
    this.#busy = false;
    if (this.#idleWaiters.length === 0) return;
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
