import type { EventName } from "../events/index.ts";
import { type EventPowers, eventPowers, isDecided } from "./hooks/event-powers.ts";
import { AGENT_NAMES, type AgentName } from "./names.ts";
import { AGENTS } from "./registry.ts";

/** decide: the agent honours what handlers return. observe: it tells, and goes its own way. */
export type Firing = "decide" | "observe";

const POWERS_OF: ReadonlyMap<AgentName, EventPowers> = new Map(
  AGENTS.map(({ name, hooks }) => [name, hooks ? eventPowers(hooks.mapping) : {}]),
);

/** Whether and how an agent fires an event. The embedded agent fires them all. */
export function firing(agent: AgentName, event: EventName): Firing | undefined {
  if (agent === "seam") return "decide";
  const powers = POWERS_OF.get(agent)?.[event];
  return powers && (isDecided(event, powers) ? "decide" : "observe");
}

/** The agents that can fire an event. */
export function agentsFiring(event: EventName): AgentName[] {
  return AGENT_NAMES.filter((agent) => firing(agent, event) !== undefined);
}
