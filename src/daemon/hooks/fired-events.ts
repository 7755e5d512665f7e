import type { Told } from "../../agents/index.ts";
import type { SeamEvent } from "../../events/index.ts";

/** The events that really happened: what stands after a gate that closed did not. */
export function firedEvents(events: readonly SeamEvent[], told: Told): readonly SeamEvent[] {
  const gate = closedGate(told);
  const last = gate === undefined ? -1 : events.findLastIndex(({ type }) => type === gate);
  return last < 0 ? events : events.slice(0, last + 1);
}

function closedGate({ block, prompt, cancel }: Told): SeamEvent["type"] | undefined {
  if (block) return "tool_call";
  if (prompt?.blocked !== undefined) return "input";
  return cancel ? "session_before_compact" : undefined;
}
