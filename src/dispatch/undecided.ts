import type { AnyEvent, EventKind } from "../events/index.ts";
import { COMPLETE, NOBODY } from "./fold.ts";

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
