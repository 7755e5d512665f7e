import type { EventName } from "../../events/index.ts";
import type { HookRow } from "./hook-support.ts";
import { POWERS, type Power } from "./power.ts";

/** The events whose handlers can ask for something. A message for the user goes with any of them. */
const ASKED_BY: Readonly<Record<Exclude<Power, "message">, readonly EventName[]>> = {
  block: ["tool_call", "tool_admit"],
  rewrite_input: ["tool_call"],
  ask: ["tool_call", "tool_admit"],
  replace_result: ["tool_result"],
  add_context: [
    "session_start",
    "before_agent_start",
    "tool_call",
    "tool_result",
    "subagent_start",
  ],
  block_prompt: ["input"],
  rewrite_prompt: ["input"],
  continue: ["agent_end"],
  cancel: ["session_before_compact", "session_before_switch"],
  // A person asks for it, or an extension through `pi.sessions`: at any step of the turn.
  interrupt: ["tool_call", "tool_result"],
};

/** Powers that make what a handler returns count. The others work through calls of the API. */
const DECIDING: Partial<Record<EventName, readonly Power[]>> = {
  input: ["block_prompt", "rewrite_prompt"],
  before_agent_start: ["add_context"],
  tool_call: ["block", "rewrite_input"],
  tool_admit: ["block"],
  tool_result: ["replace_result"],
  session_before_compact: ["cancel"],
  session_before_switch: ["cancel"],
};

type Mapping = Readonly<Record<string, HookRow>>;
/** What extensions can do at each event of an agent. */
export type EventPowers = Readonly<Partial<Record<EventName, readonly Power[]>>>;

/** Which events a mapping fires, and what handlers of each can do. */
export function eventPowers(mapping: Mapping): EventPowers {
  const found = new Map<EventName, Set<Power>>();
  for (const { events, powers } of Object.values(mapping)) {
    for (const event of withAdmission(events)) {
      const all = found.get(event) ?? new Set();
      for (const power of powers) if (canAsk(event, power)) all.add(power);
      found.set(event, all);
    }
  }
  return Object.fromEntries(
    [...found].map(([event, powers]) => [event, POWERS.filter((power) => powers.has(power))]),
  );
}

/** A tool call that is decided is also admitted. */
function withAdmission(events: readonly EventName[]): EventName[] {
  return events.flatMap((event) => (event === "tool_call" ? [event, "tool_admit"] : [event]));
}

function canAsk(event: EventName, power: Power): boolean {
  return power === "message" ? true : ASKED_BY[power].includes(event);
}

/** Whether what handlers of this event return counts. */
export function isDecided(event: EventName, powers: readonly Power[]): boolean {
  return powers.some((power) => DECIDING[event]?.includes(power));
}
