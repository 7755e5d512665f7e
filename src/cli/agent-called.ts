import { AGENTS, type Agent } from "../agents/index.ts";
import { usageError } from "../errors/index.ts";
import { nearest } from "../events/index.ts";
import { findAgentPackages } from "../extensions/index.ts";

/** The agent with this name, or with the command that starts it: "claude". */
export function agentCalled(name: string): Agent {
  const called = (word: string) =>
    AGENTS.find((one) => one.name === word || one.program.command === word);
  const agent = called(name);
  if (!agent) {
    const known = AGENTS.map((one) => one.name);
    const commands = AGENTS.map((one) => one.program.command);
    const close = called(nearest(name, [...known, ...commands]) ?? "");
    const hint = close ? `Did you mean ${close.name}?` : `It is one of: ${known.join(", ")}.`;
    throw usageError(`There is no agent "${name}".`, hint);
  }
  return agent;
}

/**
 * An agent of which something is to be shown: Seam's own one too, and where the settings name packages
 * with agents any other, because only the daemon loads those and knows what they are called.
 */
export function agentNameIn(text: string): string {
  const isKnown = AGENTS.some(({ name }) => name === text);
  const { sources } = isKnown ? { sources: [] } : findAgentPackages(process.cwd());
  return text === "seam" || sources.length > 0 ? text : agentCalled(text).name;
}
