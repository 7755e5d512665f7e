import { AGENT_NAMES } from "../../agents/index.ts";
import type { AgentChoice } from "../model/workflow.ts";
import { type Keys, splitList } from "./keys.ts";

/** `agent: claude-code`, `agents: claude-code:opus, codex`, `agent: any of codex, gemini`. */
export function agentChoices(keys: Keys): readonly AgentChoice[] {
  const key = keys.has("agents") ? "agents" : "agent";
  const given = keys.list(key) ?? [];
  const choices: AgentChoice[] = [];
  for (const text of given.flatMap((one) => splitList(one.replace(/^any( of)?\b/, "")))) {
    const [name = "", ...model] = text.split(":");
    const agent = AGENT_NAMES.find((one) => one === name.trim());
    if (agent === undefined) {
      const problem = `"${name.trim()}" is not an agent. There are ${AGENT_NAMES.join(", ")}.`;
      keys.problems.error(keys.line(key), problem, name.trim(), AGENT_NAMES);
    } else choices.push(model.length > 0 ? { agent, model: model.join(":").trim() } : { agent });
  }
  return choices;
}
