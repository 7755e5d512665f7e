import type { Repo } from "../git/index.ts";
import { endOfTurn } from "./accept-hook.ts";
import { withLeftBehind } from "./left-behind.ts";
import { isAlive } from "./process-tree.ts";
import type { RecordingContext } from "./recording-context.ts";
import { readTranscript } from "./session/read-transcript.ts";
import type { ProcessId, SessionState } from "./session/state.ts";

/**
 * Ends turns of this work tree that no hook will end, and looks after what others left running: before
 * a commit, so that the work of their commands is known. Not those of the agents that make the commit
 * themselves.
 */
export async function endOpenTurns(
  context: RecordingContext,
  repo: Repo,
  makers: readonly ProcessId[],
): Promise<void> {
  const { states } = context.record;
  for (const state of states.live()) {
    if (state.work_tree !== repo.workTree) continue;
    if (state.phase !== "active") {
      const later = await withLeftBehind(context, repo, state);
      if (later !== state) states.put(later);
      continue;
    }
    if (makers.some(({ pid }) => pid === state.owner?.pid) || context.isAside(state)) continue;
    await endIfLeft(context, repo, state);
  }
}

/** Ends a turn whose agent is dead, or was stopped by the user; whoever stopped it told no hook. */
export async function endIfLeft(
  context: RecordingContext,
  repo: Repo,
  state: SessionState,
): Promise<void> {
  const { states } = context.record;
  const now = new Date().toISOString();
  if (state.owner && !isAlive(state.owner)) {
    const done = await endOfTurn(context, repo, state, { at: now, cutOff: "agent" });
    states.put({ ...done, phase: "ended", ended_at: now, ended_by: "process" });
    return;
  }
  const read = await readTranscript(context, state);
  const isStopped = typeof read.interrupted === "string";
  const at = read.interrupted || now;
  states.put(
    isStopped
      ? { ...(await endOfTurn(context, repo, read, { at, cutOff: "user" })), phase: "idle" }
      : read,
  );
}
