import type { HookRow } from "../../agents/index.ts";
import { type Decision, UNDECIDED } from "../../dispatch/index.ts";
import { SeamError } from "../../errors/index.ts";
import { declarationOf, type SeamEvent } from "../../events/index.ts";
import type { HookMoment } from "../inbox/hook-moment.ts";
import type { Session } from "../sessions/session.ts";
import type { WorkerFailure } from "../worker/session-worker.ts";

/** What the extensions of a session say to the events of one hook. */
export async function askExtensions(
  session: Session,
  row: HookRow,
  events: readonly SeamEvent[],
  moment?: HookMoment,
  /** Why they cannot be asked about this hook. */
  failure?: WorkerFailure,
): Promise<Decision> {
  if (failure) return failedDecision(failure, events, session.critical);
  if (!session.listensFor(events)) return UNDECIDED;
  const decisive = events.filter(({ type }) => declarationOf(type).kind !== "observe");
  const settleMs = settleMsFor(row, events);
  if (settleMs === 0 && !session.listensFor(decisive)) {
    session.observe(events);
    return UNDECIDED;
  }
  const decided = await session.decide(events, settleMs, moment);
  if (!decided) return UNDECIDED;
  if ("decision" in decided) return decided.decision;
  return failedDecision(decided.failure, events, session.critical);
}

/** How long an agent that stops waits for handlers that could send it back to work. */
const STOP_MS = declarationOf("agent_end").deadlineMs;
/** How long the start of a session or turn waits for handlers that could add context to it. */
const BEGIN_MS = 1_000;

/** Observers are waited for where what they do can still change something. */
function settleMsFor({ powers }: HookRow, events: readonly SeamEvent[]): number {
  const has = (...names: SeamEvent["type"][]) => events.some(({ type }) => names.includes(type));
  if (powers.includes("continue") && has("agent_end")) return STOP_MS;
  const carries = powers.includes("add_context") || powers.includes("message");
  return carries && has("session_start", "subagent_start") ? BEGIN_MS : 0;
}

/**
 * What it means that a worker did not answer: gates that close on failure close, and what a
 * critical extension should have looked at is withheld. A fault of Seam's own stops nobody, unless
 * a critical extension asked for that.
 */
function failedDecision(
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
