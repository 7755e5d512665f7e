import { expect } from "vitest";
import type { AgentName } from "../../drive/agent.ts";
import { AGENTS } from "../../drive/agents/index.ts";
import { record } from "../../model-server/json.ts";
import type { ToolResult } from "../../model-server/saw.ts";
import { SKILL } from "./work.ts";

/** Agents whose tool calls have no ids, and one whose skill events begin with another name. */
const WITHOUT_IDS: readonly AgentName[] = ["copilot-cli", "factoryai-droid", "gemini"];
const PREFIXES: Partial<Record<AgentName, string>> = { "claude-code": "claude" };

/** The skill event of the work, whole. */
export function skillEvent(agent: AgentName, results: readonly ToolResult[]): object {
  return AGENTS[agent].tools.skill ? byTool(agent, results) : byPrompt(agent);
}

function byTool(agent: AgentName, results: readonly ToolResult[]): object {
  const { name: tool_name } = record(AGENTS[agent].tools.skill?.({ do: "skill", name: SKILL }));
  const ids = new Set(results.map(({ callId }) => callId));
  const withId = !WITHOUT_IDS.includes(agent);
  const known = expect.toSatisfy((id: string) => ids.has(id.replace(/^.*-skill-/, "")));
  const prefix = PREFIXES[agent] ?? agent;
  return {
    ...(withId && { id: expect.stringMatching(`^${prefix}-skill-.`) }),
    event_type: "tool_invocation",
    skill: { name: SKILL },
    source: { agent, signal: "skill_tool_use", confidence: "explicit" },
    native: { tool_name, ...(withId && { tool_use_id: known }) },
    collapse: { target: "tool_pair", label: `Skill: ${SKILL}`, default_collapsed: true },
  };
}

/** A skill that the user typed as `command`. */
export function byPrompt(agent: AgentName, timed = true): object {
  const command = AGENTS[agent].typedSkill?.(SKILL) ?? "";
  return {
    id: expect.stringMatching(`^${PREFIXES[agent] ?? agent}-skill-${SKILL}-.`),
    event_type: "prompt_invocation",
    skill: { name: SKILL },
    source: { agent, signal: "input_slash_command", confidence: "explicit" },
    ...(timed && { timestamp: expect.stringMatching(/^\d{4}-.*Z$/) }),
    native: { command },
    collapse: { target: "user_message", label: command, default_collapsed: true },
  };
}
