import type { HookRow } from "../../agents/index.ts";
import { declarationOf, type SeamEvent } from "../../events/index.ts";

/** How long an agent that stops may be held by those who could send it back to work. */
const STOP_MS = declarationOf("agent_end").deadlineMs;
/** How long a beginning may be held by those who could say something to go along with it. */
const BEGIN_MS = 1_000;

/** Those who only observe are waited for where what they say can still change something. */
export function settleMsFor({ powers }: HookRow, events: readonly SeamEvent[]): number {
  const has = (...names: SeamEvent["type"][]) => events.some(({ type }) => names.includes(type));
  if (powers.includes("continue") && has("agent_end")) return STOP_MS;
  const carries = powers.includes("add_context") || powers.includes("message");
  return carries && has("session_start", "subagent_start") ? BEGIN_MS : 0;
}
