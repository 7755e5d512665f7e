import { type Caller, PendingCall, type Problem } from "./caller.ts";
import type { TraceStep } from "./decision.ts";
import { DecisionWait } from "./decision-wait.ts";
import { COMPLETE, type Complain, type Fold } from "./fold.ts";
import type { Handler } from "./handler.ts";
import { ABORTED, type HandlerResult, SKIPPED } from "./handler-result.ts";

export interface DriveOptions {
  readonly signal?: AbortSignal | undefined;
  /** Note who said what. */
  readonly trace?: boolean;
}

export interface Machinery {
  readonly caller: Caller;
  readonly report: (problem: Problem) => void;
  readonly complain: Complain;
  /** How long a handler waits for its extension to work off what it observed before. */
  readonly catchUpMs: number;
}

/**
 * Asks one handler after the other. Stays synchronous as long as the handlers do; after an abort
 * no handler is started and the decision is there at once, whatever the running one does.
 */
export function drive(
  machinery: Machinery,
  fold: Fold,
  handlers: readonly Handler[],
  { signal, trace }: DriveOptions,
): unknown {
  return new Drive(machinery, fold, handlers, signal, trace ? [] : undefined).run();
}

/** One dispatch while it runs. */
class Drive {
  readonly #machinery: Machinery;
  readonly #fold: Fold;
  readonly #handlers: readonly Handler[];
  readonly #signal: AbortSignal | undefined;
  readonly #steps: TraceStep[] | undefined;
  /** Made for the first handler that does not answer at once. */
  #wait: DecisionWait | undefined;

  constructor(
    machinery: Machinery,
    fold: Fold,
    handlers: readonly Handler[],
    signal: AbortSignal | undefined,
    steps: TraceStep[] | undefined,
  ) {
    this.#machinery = machinery;
    this.#fold = fold;
    this.#handlers = handlers;
    this.#signal = signal;
    this.#steps = steps;
  }

  run(): unknown {
    const handlers = this.#handlers;
    for (let index = 0; index < handlers.length; index++) {
      const handler = handlers[index];
      if (!handler) continue;
      const outcome = this.#ask(handler);
      if (outcome instanceof Promise) return this.#runOn(index, outcome);
      if (this.#take(handler, outcome)) return this.#decide(outcome);
    }
    return this.#decide(undefined);
  }

  async #runOn(start: number, first: Promise<HandlerResult>): Promise<unknown> {
    const last = await this.#askOn(start, first);
    this.#wait?.end();
    return this.#decide(last);
  }

  /** The outcome after which nobody else was asked, if there was one. */
  async #askOn(start: number, first: Promise<HandlerResult>): Promise<HandlerResult | undefined> {
    let index = start;
    let handler = this.#handlers[index];
    let outcome = await first;
    while (handler) {
      if (this.#take(handler, outcome)) return outcome;
      handler = this.#handlers[++index];
      if (handler) outcome = await this.#ask(handler);
    }
    return undefined;
  }

  #ask(handler: Handler): HandlerResult | Promise<HandlerResult> {
    if (this.#signal?.aborted) return ABORTED;
    if (handler.queue.closed) return SKIPPED;
    if (!handler.queue.idle) return this.#askLater(handler);
    return this.#steps ? this.#note(this.#steps, handler) : this.#call(handler);
  }

  /** An extension sees things in the order they happened: what it observed comes first. */
  async #askLater(handler: Handler): Promise<HandlerResult> {
    await orAborted(handler.queue.caughtUp(this.#machinery.catchUpMs), this.#signal);
    if (this.#signal?.aborted) return ABORTED;
    if (handler.queue.closed) return SKIPPED;
    return this.#steps ? this.#note(this.#steps, handler) : this.#call(handler);
  }

  #call(handler: Handler): HandlerResult | Promise<HandlerResult> {
    const { caller } = this.#machinery;
    const call = handler.queue.borrowCall();
    const begun = caller.begin(handler, this.#fold.next(), call);
    if (begun instanceof PendingCall) {
      this.#wait ??= new DecisionWait(caller, this.#signal);
      return this.#wait.for(begun);
    }
    handler.queue.returnCall(call);
    return begun;
  }

  /** Writes down what a handler said, because the caller asked for it. */
  #note(steps: TraceStep[], handler: Handler): HandlerResult | Promise<HandlerResult> {
    const startedAt = performance.now();
    const outcome = this.#call(handler);
    const note = (settled: HandlerResult) => {
      const result = settled.said === "result" && { result: settled.result };
      steps.push({
        by: handler.owner.name,
        said: settled.said,
        ...result,
        ms: performance.now() - startedAt,
      });
      return settled;
    };
    return outcome instanceof Promise ? outcome.then(note) : note(outcome);
  }

  /** True if nobody else is asked. */
  #take(handler: Handler, outcome: HandlerResult): boolean {
    if (outcome.said === "aborted") return true;
    if (outcome.said === "skipped") return false;
    return this.#fold.take(handler, outcome, this.#machinery.complain);
  }

  #decide(last: HandlerResult | undefined): unknown {
    const aborted = last?.said === "aborted";
    const trace = this.#steps;
    return this.#fold.decide(trace ? { aborted, trace } : aborted ? { aborted } : COMPLETE);
  }
}

function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done, { once: true });
    promise.then(done);
  });
}
