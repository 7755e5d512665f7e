import { SeamError } from "../../errors/index.ts";
import { declarationOf, type SeamEvent } from "../../events/index.ts";
import { type Decision, UNDECIDED } from "../worker/protocol.ts";
import type { WorkerFailure } from "../worker/worker-thread.ts";

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
  const suspects = failure.suspects.join(", ");
  const error = new SeamError(failure.kind === "stuck" ? "SEAM_EXT_STUCK" : "SEAM_EXT_CRASHED", {
    path: suspects,
    detail: failure.detail,
  });
  const text = error.message;
  if (rules.includes("block")) return { ...UNDECIDED, block: { reason: text, by: suspects } };
  if (!critical || !rules.includes("withhold")) return UNDECIDED;
  const content = [{ type: "text" as const, text: `The result was withheld: ${text}` }];
  return { ...UNDECIDED, results: [{ index: 0, content, isError: true, by: [suspects] }] };
}
