import { SeamError } from "../errors/index.ts";
import type { AnyEvent } from "../events/index.ts";
import { HandlerCall } from "./call.ts";
import { type Caller, type Problem, Started } from "./caller.ts";
import type { Handler, Owner } from "./handler.ts";
import { NOTHING } from "./outcome.ts";
import { addSample } from "./stats.ts";
import type { Running } from "./watch.ts";

interface Queued {
  readonly handler: Handler;
  readonly event: AnyEvent;
}

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
  /** For the observers: one after the other, so that they can share it. */
  #own = new HandlerCall();
  /** One that nobody has, for the next decision. */
  #spare: HandlerCall | undefined;
  #queue: Queued[] = [];
  #head = 0;
  #busy = false;
  /** An event was queued or someone waits: there is something to do when an observer is done. */
  #more = false;
  #closed = false;
  #lost = 0;
  #idleWaiters: (() => void)[] = [];
  /** The observer that is being waited for. */
  #current: Started | undefined;
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
    return !this.#busy || this.#closed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Events that were dropped because the extension was too slow. */
  get lost(): number {
    return this.#lost;
  }

  /** For one call, with its context. */
  borrowCall(): HandlerCall {
    const spare = this.#spare ?? new HandlerCall();
    this.#spare = undefined;
    return spare;
  }

  /** A handler that is done gives it back: no allocation per event. */
  returnCall(call: HandlerCall): void {
    if (call.untouched) this.#spare = call;
  }

  offer(handler: Handler, event: AnyEvent): void {
    if (this.#busy) {
      this.#enqueue(handler, event);
      return;
    }
    // Before the call: a handler may emit, and what it emits comes after what it is working on.
    this.#busy = true;
    if (!this.#deliver(handler, event)) return;
    if (this.#more) this.#drain();
    else this.#busy = false;
  }

  /** Resolves when everything offered so far was delivered, or after `limitMs`. */
  caughtUp(limitMs: number): Promise<void> {
    if (this.idle) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, limitMs);
      function done() {
        clearTimeout(timer);
        resolve();
      }
      this.#idleWaiters.push(done);
      this.#more = true;
    });
  }

  /** After a thread was taken from an extension in the middle of a delivery: the next one's turn. */
  recover(): void {
    if (this.#busy && !this.#current && !this.#closed) this.#drain();
  }

  /** Nothing is delivered any more; what waits is dropped. */
  close(): void {
    this.#closed = true;
    // From now on it is busy for ever: one question less for every event of the others.
    this.#more = true;
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
  get deadlineMs(): number {
    return this.#current?.handler.deadlineMs ?? 0;
  }
  /** Most observers are done before anyone asks; the clock of the others begins when someone does. */
  elapsed(now: number): number {
    const current = this.#current;
    if (!current) return 0;
    current.startedAt ||= now;
    return current.call.elapsed(current.startedAt, now);
  }
  expire(): void {
    const current = this.#current;
    if (!current) return;
    this.#listen = this.#newListeners();
    this.#caller.expired(current.handler);
    current.call.end();
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
    const call = this.#own;
    const begun = this.#caller.begin(handler, event, call);
    if (begun === NOTHING || !(begun instanceof Started)) {
      if (!call.untouched) this.#own = new HandlerCall();
      return true;
    }
    this.#current = begun;
    this.#hear();
    this.#caller.watch.add(this);
    return false;
  }

  #newListeners() {
    const heard = (tell: (current: Started, value: unknown) => void) => (value: unknown) => {
      const current = this.#current;
      if (!current || this.#listen !== listeners) return;
      tell(current, value);
      this.#finished(current);
    };
    const listeners = {
      // What an observer returns is of no interest.
      resolved: heard(() => {}),
      rejected: heard(({ handler }, thrown) => void this.#caller.rejected(handler, thrown)),
    };
    return listeners;
  }

  #finished({ handler: { stats }, startedAt, call }: Started): void {
    if (startedAt > 0) addSample(stats, performance.now() - startedAt);
    if (!call.untouched) {
      call.end();
      this.#own = new HandlerCall();
    }
    this.#current = undefined;
    this.#drain();
  }

  #enqueue(handler: Handler, event: AnyEvent): void {
    if (this.#closed) return;
    this.#more = true;
    if (this.#queue.length - this.#head < this.#limit) this.#queue.push({ handler, event });
    else this.#lose(event);
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
    this.#busy = this.#closed;
    this.#more = this.#closed;
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
