import { nearest } from "./nearest.ts";
import { EVENT_NAMES } from "./vocabulary.ts";

/** What to tell someone who listens for an event that does not exist. */
export function explainUnknownEvent(name: string): string {
  const foreign = Object.hasOwn(FOREIGN_EVENTS, name) ? FOREIGN_EVENTS[name] : undefined;
  if (foreign) {
    const instead = foreign.instead ? ` Use "${foreign.instead}" instead.` : "";
    return `${foreign.host} fires it, Seam does not, so this handler will never run.${instead}`;
  }
  const close = nearest(name, EVENT_NAMES);
  return close
    ? `Did you mean "${close}"? docs/events.md lists them all.`
    : "docs/events.md lists them all.";
}

/**
 * Events that other hosts fire and Seam does not, so that a listener for one of them gets a
 * better answer than "unknown".
 */
export const FOREIGN_EVENTS: Readonly<Record<string, { host: string; instead?: string }>> = {
  cache_warming_decision: { host: "Pi" },
  before_subagent_spawn: { host: "oh-my-pi", instead: "subagent_start" },
  user_python: { host: "oh-my-pi" },
};
