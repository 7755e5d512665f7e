import type { AgentName } from "../../agents/index.ts";
import type { AgentChoice } from "../model/workflow.ts";

/** How many attempts may run at once. What is absent is not limited. */
export interface Concurrency {
  /** For each agent, over all machines: they share the account. */
  readonly agents: Readonly<Partial<Record<AgentName, number>>>;
  readonly pools: Readonly<Record<string, number>>;
  /** On each machine. */
  readonly machine?: number;
}

/** Where an attempt runs, or is to run. */
export interface Seat {
  readonly agent: AgentName;
  readonly pool: string;
  readonly machine: string;
}

/** What is full, in words, if an attempt cannot start there now. */
export function fullPlace(
  wanted: Seat,
  running: readonly Seat[],
  { agents, pools, machine }: Concurrency,
): string | undefined {
  const count = (is: (seat: Seat) => boolean) => running.filter(is).length;
  const places = [
    {
      limit: agents[wanted.agent],
      taken: count(({ agent }) => agent === wanted.agent),
      what: wanted.agent,
    },
    {
      limit: pools[wanted.pool],
      taken: count(({ pool }) => pool === wanted.pool),
      what: `the pool ${wanted.pool}`,
    },
    {
      limit: machine,
      taken: count((seat) => seat.machine === wanted.machine),
      what: "this machine",
    },
  ];
  const full = places.find(({ limit, taken }) => limit !== undefined && taken >= limit);
  return full && `${full.taken} of ${full.limit} places of ${full.what} are taken`;
}

/** The first choice that has a place now. */
export function choiceWithPlace(
  choices: readonly AgentChoice[],
  place: Omit<Seat, "agent">,
  running: readonly Seat[],
  limits: Concurrency,
): AgentChoice | undefined {
  return choices.find(({ agent }) => fullPlace({ ...place, agent }, running, limits) === undefined);
}
