import { isCancel, multiselect } from "@clack/prompts";
import type { Agent } from "../../agents/index.ts";
import { usageError } from "../../errors/index.ts";
import { agentCalled } from "../agent-called.ts";
import { isAsked } from "../ask/terminal.ts";

/**
 * The agents with these names; several may stand in one, with commas. Seam's own agent can be named
 * as well, and needs nothing.
 */
export function agentsNamed(names: readonly string[]): Agent[] {
  const wanted = names.flatMap((name) => name.split(",")).map((name) => name.trim());
  return [...new Set(wanted)].filter((name) => name !== "" && name !== "seam").map(agentCalled);
}

/** Undefined: the user thought better of it. Empty: none of them. */
export async function askWhich(
  message: string,
  agents: readonly Agent[],
  chosen: readonly Agent[],
): Promise<Agent[] | undefined> {
  const answer = await multiselect({
    message,
    options: agents.map(({ name, type }) => ({ value: name, label: type, hint: name })),
    initialValues: chosen.map(({ name }) => name),
    required: false,
  });
  if (isCancel(answer)) return undefined;
  return agents.filter(({ name }) => answer.includes(name));
}

/** Without a terminal nothing is changed that nobody named. */
export function needTerminal(instead: string, json = false): void {
  if (isAsked() && !json) return;
  const why = json ? "With --json nothing is asked." : "There is no terminal to ask on.";
  throw usageError(why, `Say what you want: ${instead}.`);
}
