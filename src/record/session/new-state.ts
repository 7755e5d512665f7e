import { noTokens } from "../../events/index.ts";
import type { Pending, SessionState } from "./state.ts";

export function nothingPending(): Pending {
  return { files: {}, turns: [], token_usage: noTokens(), skill_events: [], blocked_calls: [] };
}

type Known = Pick<SessionState, "session_id" | "agent" | "work_tree" | "worktree_id">;

export function newState(known: Known, at: string): SessionState {
  return {
    version: 1,
    ...known,
    phase: "idle",
    started_at: at,
    last_seen_at: at,
    turn_count: 0,
    token_usage: noTokens(),
    pending: nothingPending(),
    turn_checkpoint_ids: [],
    seq: -1,
  };
}
