import { type EventName, isCrewEvent } from "../events/index.ts";
import { type EventPowers, eventPowers, isDecided } from "./hooks/event-powers.ts";
import type { HookSupport } from "./hooks/hook-support.ts";
import { AGENTS, ALL_AGENTS } from "./registry.ts";

/** decide: the agent honours what handlers return. observe: it tells, and goes its own way. */
export type Firing = "decide" | "observe";

/** The powers that hooks give, kept by the hooks themselves: agents may be registered at any time. */
const POWERS_OF = new WeakMap<HookSupport, EventPowers>();

function powersOf(name: string): EventPowers | undefined {
  const { hooks } = AGENTS.find((agent) => agent.name === name) ?? {};
  if (!hooks) return undefined;
  const powers = POWERS_OF.get(hooks) ?? eventPowers(hooks.mapping);
  POWERS_OF.set(hooks, powers);
  return powers;
}

/** Whether and how an agent fires an event. The embedded agent fires all that agents can fire. */
export function firing(agent: string, event: EventName): Firing | undefined {
  if (isCrewEvent(event)) return undefined;
  if (agent === "seam") return "decide";
  const powers = powersOf(agent)?.[event];
  return powers && (isDecided(event, powers) ? "decide" : "observe");
}

/** The agents that can fire an event. */
export function agentsFiring(event: EventName): string[] {
  return ALL_AGENTS.map(({ name }) => name).filter((agent) => firing(agent, event) !== undefined);
}
