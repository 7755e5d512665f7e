import { SeamError } from "../../errors/index.ts";
import { declarationOf, type SeamEvent } from "../../events/index.ts";
import { type Decision, UNDECIDED } from "../worker/protocol.ts";
import type { WorkerFailure } from "../worker/session-worker.ts";

/**
 * What it means that a worker did not answer: gates that close on failure close, and what a
 * critical extension should have looked at is withheld. A fault of Seam's own stops nobody, unless
 * a critical extension asked for that.
 */
export function failedDecision(
  failure: WorkerFailure,
  events: readonly SeamEvent[],
  critical: boolean,
): Decision {
  const rules = events.map(({ type }) => declarationOf(type).onFailure);
  if (failure.kind === "seam" && !critical) return UNDECIDED;
  const by = failure.suspects.join(", ");
  const text = textOf(failure);
  if (rules.includes("block")) return { ...UNDECIDED, block: { reason: text, by } };
  if (!critical || !rules.includes("withhold")) return UNDECIDED;
  const content = [{ type: "text" as const, text: `The result was withheld: ${text}` }];
  return { ...UNDECIDED, results: [{ index: 0, content, isError: true, by: [by] }] };
}

function textOf({ kind, suspects, detail }: WorkerFailure): string {
  if (kind === "seam") {
    const { message, next } = new SeamError("SEAM_EXT_NOT_RUN", { detail });
    return `${message} One of them must not be missing, so this was stopped. ${next}`;
  }
  const code = kind === "stuck" ? "SEAM_EXT_STUCK" : "SEAM_EXT_CRASHED";
  return new SeamError(code, { path: suspects.join(", "), detail }).message;
}
