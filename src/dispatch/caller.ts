import type { SeamError } from "../errors/index.ts";
import { type AnyEvent, declarationOf } from "../events/index.ts";
import type { Handler, Owner } from "./handler.ts";
import type { Borrowed } from "./lane.ts";
import { ABORTED, late, NOTHING, type Outcome, readResult, threw } from "./outcome.ts";
import { metering, running } from "./running.ts";
import { addTime, shouldTime } from "./stats.ts";
import { type Running, Watch } from "./watch.ts";

/** What went wrong in an extension, for logs, `seam doctor` and the view. */
export interface Problem {
  readonly error: SeamError;
  readonly owner: Owner;
  readonly event?: string;
}

/** A call that did not return at once. */
export interface Started {
  readonly returned: PromiseLike<unknown>;
  readonly borrowed: Borrowed;
  readonly startedAt: number;
}

/** Calls handlers: one call in, one outcome out, always within the deadline or the abort. */
export class Caller {
  readonly watch = new Watch();
  readonly #report: (problem: Problem) => void;

  constructor(report: (problem: Problem) => void) {
    this.#report = report;
  }

  /** The outcome, or a promise of it if the handler has to wait for something. */
  call(handler: Handler, event: AnyEvent, signal?: AbortSignal): Outcome | Promise<Outcome> {
    const begun = this.begin(handler, event);
    if ("said" in begun) return begun;
    return new Promise((resolve) => {
      new PendingCall(this, handler, begun, signal, resolve).wait();
    });
  }

  /** Calls a handler. Most return at once; for the others someone has to wait. */
  begin(handler: Handler, event: AnyEvent): Outcome | Started {
    const { lane, stats, owner } = handler;
    const startedAt = shouldTime(stats) ? performance.now() : 0;
    stats.calls++;
    const before = running[0] ?? 0;
    running[0] = handler.slot;
    metering.meter?.begins();
    try {
      const borrowed = lane.borrowContext();
      const returned = handler.run(event, borrowed.context);
      if (isThenable(returned)) {
        stats.waits = true;
        return { returned, borrowed, startedAt: startedAt || performance.now() };
      }
      lane.returnContext(borrowed);
      stats.waits = false;
      if (startedAt > 0) addTime(stats, performance.now() - startedAt);
      if (returned === undefined) return NOTHING;
      return this.checked(handler, readResult(declarationOf(handler.event), owner, returned));
    } catch (thrown) {
      return this.checked(handler, threw(handler.event, owner, thrown));
    } finally {
      metering.meter?.ends(handler.slot);
      running[0] = before;
    }
  }

  /** What a promise came to. */
  resolved(handler: Handler, value: unknown): Outcome {
    if (value === undefined) return NOTHING;
    return this.checked(handler, readResult(declarationOf(handler.event), handler.owner, value));
  }

  rejected(handler: Handler, thrown: unknown): Outcome {
    return this.checked(handler, threw(handler.event, handler.owner, thrown));
  }

  expired(handler: Handler): Outcome {
    const { event, owner, deadlineMs, stats } = handler;
    stats.timeouts++;
    return this.checked(handler, late(event, owner, deadlineMs));
  }

  /** Counts and reports a failure. */
  checked(handler: Handler, outcome: Outcome): Outcome {
    if (outcome.said === "failure") {
      handler.stats.errors++;
      this.#report({ error: outcome.error, owner: handler.owner, event: handler.event });
    }
    return outcome;
  }
}

/** A call that is waited for: whatever comes first, its result, the deadline or an abort. */
class PendingCall implements Running {
  readonly awaited = true;
  readonly startedAt: number;
  readonly deadlineMs: number;
  readonly handler: Handler;
  readonly #caller: Caller;
  readonly #started: Started;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (outcome: Outcome) => void;
  #over = false;

  constructor(
    caller: Caller,
    handler: Handler,
    started: Started,
    signal: AbortSignal | undefined,
    resolve: (outcome: Outcome) => void,
  ) {
    this.#caller = caller;
    this.handler = handler;
    this.#started = started;
    this.#signal = signal;
    this.#resolve = resolve;
    this.startedAt = started.startedAt;
    this.deadlineMs = handler.deadlineMs;
  }

  get call() {
    return this.#started.borrowed.call;
  }
  get active() {
    return !this.#over;
  }

  wait(): void {
    this.listen();
    if (this.#signal?.aborted) {
      this.#onAbort();
      return;
    }
    this.#caller.watch.add(this);
    this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  listen(): void {
    // Promise.resolve also tames thenables: ones that call twice, throw, or bring a promise.
    Promise.resolve(this.#started.returned).then(
      (value) => this.#settle(() => this.#caller.resolved(this.handler, value), true),
      (thrown) => this.#settle(() => this.#caller.rejected(this.handler, thrown), true),
    );
  }

  expire(): void {
    this.#settle(() => this.#caller.expired(this.handler), false);
  }

  readonly #onAbort = () => this.#settle(() => ABORTED, false);

  #settle(outcome: () => Outcome, finished: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const { stats, lane } = this.handler;
    this.#caller.watch.delete(this);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    addTime(stats, performance.now() - this.startedAt);
    // First: whoever listens to the handler's signal may never come back.
    this.#resolve(outcome());
    // A handler that is done gives its context back; one that is not must learn that nobody waits.
    if (finished && this.call.untouched) lane.returnContext(this.#started.borrowed);
    else this.call.end(this.#signal?.reason);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
