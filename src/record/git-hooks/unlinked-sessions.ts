import type { Repo } from "../../git/index.ts";
import type { Linked, Staged } from "../link/link.ts";
import { isSameSession } from "../link/who-changed.ts";
import type { RecordingContext } from "../recording-context.ts";

/** Beyond them, those of the earliest commits of a turn are forgotten. */
const MOST_TAKEN_UP = 1_000;

/** Files of sessions that are not linked to the commit stop waiting if the commit has them. */
export function settleOthers(
  { record: { states } }: RecordingContext,
  repo: Repo,
  changes: Staged,
): void {
  const here = states.live().filter(({ work_tree }) => work_tree === repo.workTree);
  for (const state of here) {
    const files = Object.entries(state.pending.files);
    const left = files.filter(([path, { blob }]) => changes.get(path) !== blob);
    if (left.length === files.length) continue;
    // Only the files are settled: prompts, tokens and skills wait for the next checkpoint.
    states.put({ ...state, pending: { ...state.pending, files: Object.fromEntries(left) } });
  }
}

/** What is in a commit and not their own is noted with those at work: their turn does not claim it. */
export function noteTakenUp(
  { record: { states } }: RecordingContext,
  repo: Repo,
  changes: Staged,
  linked: readonly Linked[],
): void {
  for (const state of states.live()) {
    if (state.phase !== "active" || state.work_tree !== repo.workTree) continue;
    const own = linked.find(({ session }) => isSameSession(session, state));
    if (own?.why === "process") continue;
    const theirs = [...changes].filter(([path]) => !own?.paths.includes(path));
    const known = Object.entries(state.turn_taken_up ?? {});
    const all = new Map([...known, ...theirs]);
    const turn_taken_up = Object.fromEntries([...all].slice(-MOST_TAKEN_UP));
    if (theirs.length > 0) states.put({ ...state, turn_taken_up });
  }
}
