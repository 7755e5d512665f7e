import { SeamError } from "../errors/index.ts";
import type { AnyEvent } from "../events/index.ts";
import { HandlerCall } from "./call.ts";
import { type Caller, PendingCall, type Problem } from "./caller.ts";
import type { Timed } from "./deadline-timer.ts";
import type { Handler, Owner } from "./handler.ts";
import { type HandlerResult, NOTHING } from "./handler-result.ts";
import { metering, running, settles } from "./running.ts";
import { addSample, shouldTime } from "./stats.ts";

interface Queued {
  readonly handler: Handler;
  readonly event: AnyEvent;
}

/** Someone who goes on when so many of the queued events were delivered. */
interface Waiter {
  readonly target: number;
  readonly done: () => void;
}

/**
 * The observed events of one extension, delivered one after the other, in order, without anyone
 * waiting for it. A slow extension falls behind alone; one that falls too far behind loses events,
 * and that is counted and said.
 */
export class ObserverQueue implements Timed {
  #busy = false;
  /** An event was queued or someone waits: there is something to do when an observer is done. */
  #more = false;
  /** For the observers: one after the other, so that they can share it. */
  #own = new HandlerCall();
  readonly owner: Owner;
  readonly #caller: Caller;
  readonly #report: (problem: Problem) => void;
  readonly #limit: number;
  /** One that nobody has, for the next decision. */
  #spare: HandlerCall | undefined;
  #queue: Queued[] = [];
  #head = 0;
  #closed = false;
  #lost = 0;
  #idleWaiters: (() => void)[] = [];
  /** How many events were delivered that were not done with at once, and who waits for which. */
  #delivered = 0;
  #waiters: Waiter[] = [];
  #isBehind = false;
  /** The observer that is being waited for. */
  #current: PendingCall | undefined;
  // One object serves all events; a new one is made only so that a late handler is not heard.
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

  /**
   * Delivers an event, or queues it behind those that are not delivered yet. Leaves in `running` whose
   * code ran last: the dispatcher offers an event to one extension after the other, and says after all
   * of them whose code goes on.
   */
  offer(handler: Handler, event: AnyEvent): void {
    if (this.#busy) {
      this.#enqueue(handler, event);
      return;
    }
    // Before the call: a handler may emit, and what it emits comes after what it is working on.
    this.#busy = true;
    const call = this.#own;
    const { stats } = handler;
    if (call.context === undefined || metering.meter || shouldTime(stats)) {
      if (this.#deliver(handler, event)) this.#goOn();
      return;
    }
    // What `Caller.begin` does, as far as this call needs it. It stands here, and what few calls need
    // stands elsewhere, because the way there and back takes longer than most observers do.
    stats.calls++;
    running[0] = handler.slot;
    let returned: unknown;
    try {
      returned = handler.run(event, call.context);
    } catch (thrown) {
      this.#caller.rejected(handler, thrown);
    }
    if (returned === undefined && call.untouched && !this.#more) this.#busy = false;
    else this.#took(handler, returned, call);
  }

  /** An observer was called, and more came of it than nothing. */
  #took(handler: Handler, returned: unknown, call: HandlerCall): void {
    if (this.#isDone(this.#caller.returned(handler, returned, call, 0), call)) this.#goOn();
  }

  #goOn(): void {
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

  /**
   * Resolves when the last `count` events offered were delivered; undefined if they are. Whatever is
   * delivered has a deadline. What was still to be delivered before them has `limitMs` in all: an
   * extension that is further behind is not waited for until it has caught up.
   */
  delivered(count: number, limitMs: number): Promise<void> | undefined {
    if (this.idle || this.#isBehind) return undefined;
    const left = this.#queue.length - this.#head + (this.#current ? 1 : 0);
    const target = this.#delivered + left;
    return new Promise((resolve) => {
      const check = () => {
        if (this.#delivered >= target - count) return;
        this.#isBehind = true;
        this.#tellWaiters();
      };
      // It stays until the end: someone waits, and nothing else may keep the process alive.
      const timer = setInterval(check, limitMs);
      const done = () => {
        clearInterval(timer);
        resolve();
      };
      this.#waiters.push({ target, done });
      this.#more = true;
    });
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

  // What the timer of deadlines asks. Nobody waits for observation, so it does not keep the process alive.
  readonly awaited = false;
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

  /** True if the handler is done with the event already. */
  #deliver(handler: Handler, event: AnyEvent): boolean {
    const call = this.#own;
    return this.#isDone(this.#caller.begin(handler, event, call), call);
  }

  /** The same for a call that was made; sees to it that someone waits for one that is not done. */
  #isDone(begun: HandlerResult | PendingCall, call: HandlerCall): boolean {
    if (begun === NOTHING || !(begun instanceof PendingCall)) {
      if (!call.untouched) this.#own = new HandlerCall();
      return true;
    }
    this.#current = begun;
    Promise.resolve(begun.returned).then(this.#listen.resolved, this.#listen.rejected);
    this.#caller.timer.add(this);
    return false;
  }

  #newListeners() {
    const heard = (tell: (current: PendingCall, value: unknown) => void) => (value: unknown) => {
      const current = this.#current;
      if (!current || this.#listen !== listeners) return;
      settles(current.handler.slot);
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

  #finished({ handler: { stats }, startedAt, call }: PendingCall): void {
    if (startedAt > 0) addSample(stats, performance.now() - startedAt);
    if (!call.untouched) {
      call.end();
      this.#own = new HandlerCall();
    }
    this.#current = undefined;
    this.#count();
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
      this.#count();
    }
    if (this.#queue.length > 0) this.#queue = [];
    this.#head = 0;
    this.#settle();
  }

  #count(): void {
    this.#delivered++;
    if (this.#waiters.length > 0) this.#tellWaiters();
  }

  /** Lets those go on whose event was delivered, or all of them if nobody is to wait any more. */
  #tellWaiters(): void {
    const isOver = ({ target }: Waiter) =>
      !this.#busy || this.#isBehind || this.#closed || target <= this.#delivered;
    const over = this.#waiters.filter(isOver);
    this.#waiters = this.#waiters.filter((waiter) => !isOver(waiter));
    for (const { done } of over) done();
  }

  #settle(): void {
    this.#busy = this.#closed;
    this.#more = this.#closed;
    this.#isBehind = false;
    if (this.#waiters.length > 0) this.#tellWaiters();
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
