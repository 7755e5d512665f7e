import type { EventName } from "./vocabulary.ts";

/** The lifecycle every agent's hooks are reduced to by recorders, and what Seam calls each step. */
export const LIFECYCLE = {
  SessionStart: "session_start",
  TurnStart: "agent_start",
  TurnEnd: "agent_end",
  Compaction: "session_before_compact",
  SessionEnd: "session_shutdown",
  SubagentStart: "subagent_start",
  SubagentEnd: "subagent_end",
} as const satisfies Record<string, EventName>;
