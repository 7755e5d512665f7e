import { isAlive } from "../process-tree.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { Turn } from "./turns.ts";

/**
 * A turn that has no end yet may have broken off all the same: its agent is dead, and nobody has
 * looked after it since.
 */
export function withCutOff({ states }: Pick<RepoRecord, "states">, turn: Turn): Turn {
  if (turn.end) return turn;
  const state = states.latest(turn.agent, turn.session_id);
  const isLast = state?.turn_id === turn.id;
  return isLast && state.owner && !isAlive(state.owner) ? { ...turn, cut_off: "agent" } : turn;
}
