import { eventPowers, type HookSupport, isDecided } from "../../agents/index.ts";
import { declarationOf, EVENT_NAMES, type EventName } from "../../events/index.ts";

/** The events that an agent reports and at which it does what handlers return. */
export function honouredEvents(mapping: HookSupport["mapping"]): EventName[] {
  const powers = eventPowers(mapping);
  return EVENT_NAMES.filter((event) => {
    const own = powers[event];
    return own && (declarationOf(event).kind === "observe" || isDecided(event, own));
  });
}

/** Whether the agent can be told something at any of its hooks. */
export function canBeTold(mapping: HookSupport["mapping"]): boolean {
  return Object.values(mapping).some(
    ({ powers }) => powers.includes("add_context") || powers.includes("continue"),
  );
}
