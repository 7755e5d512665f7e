import type { SeamError } from "../errors/index.ts";
import { type AnyEvent, declarationOf } from "../events/index.ts";
import type { HandlerCall } from "./call.ts";
import { DeadlineTimer } from "./deadline-timer.ts";
import type { Handler, Owner } from "./handler.ts";
import { type HandlerResult, late, NOTHING, readResult, threw } from "./handler-result.ts";
import { awaits, metering, running } from "./running.ts";
import { addSample, shouldTime } from "./stats.ts";

/** What went wrong in an extension, for logs, `seam doctor` and the view. */
export interface Problem {
  readonly error: SeamError;
  readonly owner: Owner;
  readonly event?: string;
}

/** A call that did not return at once. */
export class PendingCall {
  readonly handler: Handler;
  readonly returned: PromiseLike<unknown>;
  readonly call: HandlerCall;
  /** 0 until the clock was read: reading it costs as much as a quick handler. */
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

/** Calls handlers, and says what came of it. */
export class Caller {
  readonly timer = new DeadlineTimer();
  readonly #report: (problem: Problem) => void;

  constructor(report: (problem: Problem) => void) {
    this.#report = report;
  }

  /** Calls a handler. Most return at once; for the others someone has to wait. */
  begin(handler: Handler, event: AnyEvent, call: HandlerCall): HandlerResult | PendingCall {
    const { stats } = handler;
    const startedAt = shouldTime(stats) ? performance.now() : 0;
    stats.calls++;
    const before = running[0] ?? 0;
    running[0] = handler.slot;
    const { meter } = metering;
    meter?.enters?.(handler.slot);
    meter?.begins();
    let outcome: HandlerResult | PendingCall;
    try {
      call.context ??= handler.owner.createContext(call);
      outcome = this.returned(handler, handler.run(event, call.context), call, startedAt);
    } catch (thrown) {
      outcome = this.rejected(handler, thrown);
    }
    meter?.ends(handler.slot);
    running[0] = before;
    return outcome;
  }

  /** What came of a call: a result, or a promise of one. A call that began at 0 was not timed. */
  returned(
    handler: Handler,
    value: unknown,
    call: HandlerCall,
    startedAt: number,
  ): HandlerResult | PendingCall {
    if (value !== undefined && isThenable(value)) {
      awaits(handler.slot);
      return new PendingCall(handler, value, call, startedAt);
    }
    if (startedAt > 0) addSample(handler.stats, performance.now() - startedAt);
    return this.resolved(handler, value);
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
