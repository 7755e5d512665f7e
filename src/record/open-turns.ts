import type { Repo } from "../git/index.ts";
import { endOfTurn } from "./accept.ts";
import type { Keeper } from "./keeper.ts";
import { isAlive } from "./process-tree.ts";
import { readTranscript } from "./session/read-transcript.ts";
import type { ProcessId, SessionState } from "./session/state.ts";

/**
 * Ends turns of this work tree that no hook will end: before a commit, so that the work of a command
 * in such a turn is known. Not those of the agents that make the commit themselves.
 */
export async function endOpenTurns(
  keeper: Keeper,
  repo: Repo,
  makers: readonly ProcessId[],
): Promise<void> {
  const { states } = keeper.record;
  for (const state of states.live()) {
    if (state.phase !== "active" || state.work_tree !== repo.workTree) continue;
    if (makers.some(({ pid }) => pid === state.owner?.pid)) continue;
    await endIfLeft(keeper, repo, state);
  }
}

/** Ends a turn whose agent is dead, or was stopped by the user; whoever stopped it told no hook. */
export async function endIfLeft(keeper: Keeper, repo: Repo, state: SessionState): Promise<void> {
  const { states } = keeper.record;
  const now = new Date().toISOString();
  if (state.owner && !isAlive(state.owner)) {
    const done = await endOfTurn(keeper, repo, state, { at: now, cutOff: "agent" });
    states.put({ ...done, phase: "ended", ended_at: now, ended_by: "process" });
    return;
  }
  const read = await readTranscript(keeper, state);
  const isStopped = typeof read.interrupted === "string";
  const at = read.interrupted || now;
  states.put(
    isStopped
      ? { ...(await endOfTurn(keeper, repo, read, { at, cutOff: "user" })), phase: "idle" }
      : read,
  );
}
