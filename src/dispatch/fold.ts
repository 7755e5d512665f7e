import type { SeamError } from "../errors/index.ts";
import type { AnyEvent, Declaration, EventKind } from "../events/index.ts";
import type { TraceStep } from "./decision.ts";
import type { Handler } from "./handler.ts";
import type { HandlerResult } from "./handler-result.ts";

/**
 * One way of making a decision: a fold over what the handlers say. `drive` does the calling,
 * waiting and aborting; a fold only says what an outcome means.
 */
export interface Fold {
  /** The event the next handler gets. */
  next(): AnyEvent;
  /** Takes in what a handler said. True ends the chain. */
  take(handler: Handler, outcome: HandlerResult, complain: Complain): boolean;
  decide(ending: Ending): unknown;
}

export type NewFold = new (declaration: Declaration, event: AnyEvent) => Fold;

/** Reports that what a handler made could not be used after all. */
export type Complain = (handler: Handler, detail: string) => SeamError;

export interface Ending {
  readonly aborted: boolean;
  readonly trace?: readonly TraceStep[];
}

export const NOBODY: readonly string[] = Object.freeze([]);
export const COMPLETE: Ending = Object.freeze({ aborted: false });

/** The decision when nobody listens: the event goes through untouched, nothing is copied. */
export function undecided(kind: EventKind, event: AnyEvent): unknown {
  if (kind === "gate") return { blocked: false, event, changedBy: NOBODY, ...COMPLETE };
  if (kind === "transform") return { event, changedBy: NOBODY, ...COMPLETE };
  return kind === "collect" ? { results: NOBODY, ...COMPLETE } : COMPLETE;
}

/** The decision of a gate whose keepers are gone. */
export function refused(event: AnyEvent): unknown {
  const reason =
    "The extensions that would look at this are not loaded. It was blocked to be safe.";
  return { blocked: true, failed: true, reason, event, changedBy: NOBODY, ...COMPLETE };
}
