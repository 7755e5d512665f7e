import { SeamError } from "../errors/index.ts";
import type { Caller, Problem } from "./caller.ts";
import type { TraceStep } from "./decision.ts";
import { COMPLETE, type Fold } from "./fold.ts";
import type { Handler } from "./handler.ts";
import { ABORTED, type Outcome, SKIPPED } from "./outcome.ts";

export interface DriveOptions {
  readonly signal?: AbortSignal | undefined;
  /** Note who said what. */
  readonly trace?: boolean;
}

export interface Machinery {
  readonly caller: Caller;
  readonly report: (problem: Problem) => void;
  /** How long a handler waits for its extension to work off what it observed before. */
  readonly catchUpMs: number;
}

/** Everything about one dispatch that does not change while it runs. */
interface Dispatch extends Machinery {
  readonly fold: Fold;
  readonly handlers: readonly Handler[];
  readonly signal: AbortSignal | undefined;
  readonly steps: TraceStep[] | undefined;
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
  const steps = trace ? [] : undefined;
  const dispatch = { ...machinery, fold, handlers, signal, steps };
  for (const [index, handler] of handlers.entries()) {
    const outcome = ask(dispatch, handler);
    if (outcome instanceof Promise) return driveOn(dispatch, index, outcome);
    if (take(dispatch, handler, outcome)) return decide(dispatch, outcome);
  }
  return decide(dispatch, undefined);
}

async function driveOn(
  dispatch: Dispatch,
  start: number,
  first: Promise<Outcome>,
): Promise<unknown> {
  const { handlers } = dispatch;
  let index = start;
  let handler = handlers[index];
  let outcome = await first;
  while (handler) {
    if (take(dispatch, handler, outcome)) return decide(dispatch, outcome);
    handler = handlers[++index];
    if (handler) outcome = await ask(dispatch, handler);
  }
  return decide(dispatch, undefined);
}

function ask(dispatch: Dispatch, handler: Handler): Outcome | Promise<Outcome> {
  const { fold, caller, signal, steps, catchUpMs } = dispatch;
  if (signal?.aborted) return ABORTED;
  if (handler.lane.closed) return SKIPPED;
  if (!handler.lane.idle) {
    // An extension sees things in the order they happened: what it observed comes first.
    const caughtUp = orAborted(handler.lane.caughtUp(catchUpMs), signal);
    return caughtUp.then(() => {
      if (signal?.aborted) return ABORTED;
      if (handler.lane.closed) return SKIPPED;
      return noted(steps, handler, () => caller.call(handler, fold.next(), signal));
    });
  }
  return noted(steps, handler, () => caller.call(handler, fold.next(), signal));
}

/** Writes down what a handler said, if the caller asked for it. */
function noted(
  steps: TraceStep[] | undefined,
  { owner }: Handler,
  call: () => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  if (!steps) return call();
  const startedAt = performance.now();
  const outcome = call();
  const note = (settled: Outcome) => {
    const result = settled.said === "result" && { result: settled.result };
    steps.push({
      by: owner.name,
      said: settled.said,
      ...result,
      ms: performance.now() - startedAt,
    });
    return settled;
  };
  return outcome instanceof Promise ? outcome.then(note) : note(outcome);
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

function take(dispatch: Dispatch, handler: Handler, outcome: Outcome): boolean {
  const { fold, report } = dispatch;
  if (outcome.said === "aborted") return true;
  if (outcome.said === "skipped") return false;
  return fold.take(handler, outcome, (detail) => {
    handler.stats.errors++;
    const { owner, event } = handler;
    const error = new SeamError("SEAM_HANDLER_RESULT", { path: owner.path, event, detail });
    report({ error, owner, event });
    return error;
  });
}

function decide({ fold, steps }: Dispatch, last: Outcome | undefined) {
  const aborted = last?.said === "aborted";
  return fold.decide(steps ? { aborted, trace: steps } : aborted ? { aborted } : COMPLETE);
}
