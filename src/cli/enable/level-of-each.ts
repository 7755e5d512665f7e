import { type Agent, type Level, runsOnlyForUser } from "../../agents/index.ts";
import { isAsked } from "../ask/terminal.ts";
import { askYesNo } from "../ask/yes-no.ts";
import type { Here } from "./here.ts";

/**
 * The level for each agent. One that would not run a project's hooks as things stand is offered at
 * user level, where it needs no trust: the user decides.
 */
export async function levelOfEach(
  agents: readonly Agent[],
  level: Level,
  at: Here,
  may: { readonly ask: boolean },
): Promise<{ agent: Agent; level: Level }[]> {
  const chosen: { agent: Agent; level: Level }[] = [];
  for (const agent of agents) {
    const offers = level === "project" && may.ask && isAsked();
    const elsewhere =
      offers &&
      (await runsOnlyForUser(agent, at)) &&
      (await askYesNo(
        `${agent.type} runs a project's hooks only where it trusts the project. Enable it for all your projects instead?`,
        true,
      ));
    chosen.push({ agent, level: elsewhere ? "user" : level });
  }
  return chosen;
}
