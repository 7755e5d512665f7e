import type { EventName } from "../events/index.ts";

/**
 * What each agent's hooks can tell Seam. decide: the agent honours what handlers return.
 * observe: it tells, and goes its own way.
 */
export type Power = "decide" | "observe";

export const AGENT_NAMES = [
  "aider",
  "claude-code",
  "codex",
  "copilot-cli",
  "cursor",
  "factoryai-droid",
  "gemini",
  "opencode",
  "pi",
  "seam",
] as const;

/** Registry names; "seam" is the embedded agent. */
export type AgentName = (typeof AGENT_NAMES)[number];

type Fires = Partial<Record<EventName, Power>>;

/** What every agent with hooks can tell. */
const HOOKED: Fires = {
  session_start: "observe",
  agent_start: "observe",
  agent_end: "observe",
  agent_settled: "observe",
  tool_call: "decide",
  tool_admit: "decide",
  tool_execution_start: "observe",
  tool_execution_end: "observe",
  before_tool_call_persist: "observe",
  after_tool_call_persist: "observe",
  session_shutdown: "observe",
};

/** Agents that hand over a prompt before working on it. */
const PROMPTED: Fires = { input: "decide", before_agent_start: "decide" };
const SUBAGENTS: Fires = { subagent_start: "observe", subagent_end: "observe" };

const FIRES: Record<Exclude<AgentName, "seam">, Fires> = {
  // Has no hooks: it is watched, so nothing can be stopped.
  aider: { session_start: "observe", agent_start: "observe", agent_end: "observe" },
  "claude-code": {
    ...HOOKED,
    ...PROMPTED,
    ...SUBAGENTS,
    tool_result: "decide",
    session_before_compact: "decide",
    session_compact: "observe",
    skill_invoked: "observe",
  },
  codex: {
    ...HOOKED,
    ...PROMPTED,
    ...SUBAGENTS,
    tool_result: "decide",
    session_before_compact: "observe",
    session_compact: "observe",
  },
  "copilot-cli": { ...HOOKED, ...PROMPTED, ...SUBAGENTS, tool_result: "decide" },
  cursor: { ...HOOKED, ...PROMPTED, ...SUBAGENTS, tool_result: "observe" },
  "factoryai-droid": {
    ...HOOKED,
    ...PROMPTED,
    subagent_end: "observe",
    tool_result: "observe",
    session_before_compact: "observe",
  },
  gemini: { ...HOOKED, ...PROMPTED, tool_result: "decide", skill_invoked: "observe" },
  opencode: { ...HOOKED, ...PROMPTED, tool_result: "decide", skill_invoked: "observe" },
  pi: {
    ...HOOKED,
    ...PROMPTED,
    tool_result: "decide",
    context: "decide",
    message_start: "observe",
    message_update: "observe",
    message_end: "decide",
    turn_start: "observe",
    turn_end: "observe",
    tool_execution_update: "observe",
    before_provider_request: "decide",
    after_provider_response: "observe",
    model_select: "observe",
    thinking_level_select: "observe",
    resources_discover: "decide",
    session_before_switch: "decide",
    session_before_fork: "decide",
    session_before_compact: "decide",
    session_compact: "observe",
    session_before_tree: "decide",
    session_tree: "observe",
    user_bash: "decide",
    skill_invoked: "observe",
  },
};

/** Whether and how an agent fires an event. The embedded agent fires them all. */
export function firing(agent: AgentName, event: EventName): Power | undefined {
  return agent === "seam" ? "decide" : FIRES[agent][event];
}

/** The agents that can fire an event. */
export function agentsFiring(event: EventName): AgentName[] {
  return AGENT_NAMES.filter((agent) => firing(agent, event) !== undefined);
}
