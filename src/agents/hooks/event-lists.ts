import type { EventName } from "../../events/index.ts";

/** What the usual hooks become. tool_admit is part of deciding a tool call and not named. */

export const PROMPT = ["input", "before_agent_start", "agent_start"] as const satisfies EventName[];
export const BEFORE_TOOL = ["tool_call", "tool_execution_start"] as const satisfies EventName[];
export const AFTER_TOOL = [
  "tool_result",
  "tool_execution_end",
  "before_tool_call_persist",
  "after_tool_call_persist",
] as const satisfies EventName[];
export const STOP = ["agent_end", "agent_settled"] as const satisfies EventName[];
