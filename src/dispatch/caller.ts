import type { SeamError } from "../errors/index.ts";
import { type AnyEvent, declarationOf } from "../events/index.ts";
import type { HandlerCall } from "./call.ts";
import type { Handler, Owner } from "./handler.ts";
import { ABORTED, type HandlerResult, late, NOTHING, readResult, threw } from "./handler-result.ts";
import { awaits, metering, running, settles } from "./running.ts";
import { addSample, addWait, shouldTime } from "./stats.ts";
import { type Running, Watch } from "./watch.ts";

/** What went wrong in an extension, for logs, `seam doctor` and the view. */
export interface Problem {
  readonly error: SeamError;
  readonly owner: Owner;
  readonly event?: string;
}

/** A call that did not return at once. */
export class Started {
  readonly handler: Handler;
  readonly returned: PromiseLike<unknown>;
  readonly call: HandlerCall;
  /** 0 as long as nobody looked at the clock, which costs as much as a quick handler does. */
  startedAt: number;

  constructor(
    handler: Handler,
    returned: PromiseLike<unknown>,
    call: HandlerCall,
    startedAt: number,
  ) {
    this.handler = handler;
    this.returned = returned;
    this.call = call;
    this.startedAt = startedAt;
  }
}

/** Calls handlers: one call in, one outcome out, always within the deadline or the abort. */
export class Caller {
  readonly watch = new Watch();
  readonly #report: (problem: Problem) => void;

  constructor(report: (problem: Problem) => void) {
    this.#report = report;
  }

  /** The outcome, or a promise of it if the handler has to wait for something. */
  call(
    handler: Handler,
    event: AnyEvent,
    signal?: AbortSignal,
  ): HandlerResult | Promise<HandlerResult> {
    const call = handler.lane.borrowCall();
    const begun = this.begin(handler, event, call);
    if (!(begun instanceof Started)) {
      handler.lane.returnCall(call);
      return begun;
    }
    return new Promise((resolve) => {
      new PendingCall(this, begun, signal, resolve).wait();
    });
  }

  /** Calls a handler. Most return at once; for the others someone has to wait. */
  begin(handler: Handler, event: AnyEvent, call: HandlerCall): HandlerResult | Started {
    const { stats } = handler;
    const startedAt = shouldTime(stats) ? performance.now() : 0;
    stats.calls++;
    const before = running[0] ?? 0;
    running[0] = handler.slot;
    const { meter } = metering;
    meter?.begins();
    let outcome: HandlerResult | Started;
    try {
      call.context ??= handler.owner.createContext(call);
      const returned = handler.run(event, call.context);
      if (returned !== undefined && isThenable(returned)) {
        awaits(handler.slot);
        outcome = new Started(handler, returned, call, startedAt);
      } else {
        if (startedAt > 0) addSample(stats, performance.now() - startedAt);
        outcome = this.resolved(handler, returned);
      }
    } catch (thrown) {
      outcome = this.rejected(handler, thrown);
    }
    meter?.ends(handler.slot);
    running[0] = before;
    return outcome;
  }

  /** What a handler returned, at once or in the end. */
  resolved(handler: Handler, value: unknown): HandlerResult {
    if (value === undefined) return NOTHING;
    return this.checked(handler, readResult(declarationOf(handler.event), handler.owner, value));
  }

  rejected(handler: Handler, thrown: unknown): HandlerResult {
    return this.checked(handler, threw(handler.event, handler.owner, thrown));
  }

  expired(handler: Handler): HandlerResult {
    const { event, owner, deadlineMs, stats } = handler;
    stats.timeouts++;
    return this.checked(handler, late(event, owner, deadlineMs));
  }

  /** Counts and reports a failure. */
  checked(handler: Handler, outcome: HandlerResult): HandlerResult {
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
  readonly #caller: Caller;
  readonly #started: Started;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (outcome: HandlerResult) => void;
  #over = false;

  constructor(
    caller: Caller,
    started: Started,
    signal: AbortSignal | undefined,
    resolve: (outcome: HandlerResult) => void,
  ) {
    this.#caller = caller;
    this.#started = started;
    this.#signal = signal;
    this.#resolve = resolve;
    started.startedAt ||= performance.now();
  }

  get handler() {
    return this.#started.handler;
  }
  get deadlineMs() {
    return this.handler.deadlineMs;
  }
  get active() {
    return !this.#over;
  }

  elapsed(now: number): number {
    const { call, startedAt } = this.#started;
    return call.elapsed(startedAt, now);
  }

  wait(): void {
    // Promise.resolve also tames thenables: ones that call twice, throw, or bring a promise.
    Promise.resolve(this.#started.returned).then(
      (value) => {
        settles(this.handler.slot);
        this.#settle(() => this.#caller.resolved(this.handler, value), true);
      },
      (thrown) => {
        settles(this.handler.slot);
        this.#settle(() => this.#caller.rejected(this.handler, thrown), true);
      },
    );
    if (this.#signal?.aborted) {
      this.#onAbort();
      return;
    }
    this.#caller.watch.add(this);
    this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  expire(): void {
    this.#settle(() => this.#caller.expired(this.handler), false);
  }

  readonly #onAbort = () => this.#settle(() => ABORTED, false);

  #settle(outcome: () => HandlerResult, finished: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const { stats, lane } = this.handler;
    this.#caller.watch.delete(this);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    const { call, startedAt } = this.#started;
    addWait(stats, performance.now() - startedAt);
    // First: whoever listens to the handler's signal may never come back.
    this.#resolve(outcome());
    // A handler that is done gives its context back; one that is not must learn that nobody waits.
    if (finished && call.untouched) lane.returnCall(call);
    else call.end(this.#signal?.reason);
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
