import { pathFromShown, type RawPath, type Repo } from "../../git/index.ts";
import type { RecordingContext } from "../recording-context.ts";
import { leftByTurn } from "../session/runs.ts";
import type { SessionState } from "../session/state.ts";
import { storyOf } from "../session/turn-story.ts";
import { filesAfterStop } from "./after-stop.ts";
import type { LeftOut } from "./left-out.ts";
import { meanwhile } from "./others-files.ts";
import { type Snapshot, takeSnapshot } from "./take-snapshot.ts";

interface Moment {
  readonly at: string;
  readonly prompt?: string;
  readonly isLate?: () => boolean;
  /** All that changed since the turn had its end before. */
  readonly paths?: readonly RawPath[];
}

/** At most this many files in other places are listed for one turn. */
const MOST_ELSEWHERE = 100;

/** The snapshot at the start or end of a turn; undefined, and said, if it could not be taken. */
export async function turnSnapshot(
  { record, log }: RecordingContext,
  repo: Repo,
  state: SessionState,
  moment: "start" | "end",
  { at, prompt, isLate, paths }: Moment,
): Promise<Snapshot | undefined> {
  if (!repo.workTree || state.turn_id === undefined) return undefined;
  const files = (state.turn_files ?? []).map(pathFromShown);
  const isNamed = moment === "end" && !state.turn_ran_shell && state.turn_start_tree !== undefined;
  const story = moment === "end" ? storyOf(state) : undefined;
  const elsewhere = moment === "end" ? (state.turn_elsewhere ?? []).slice(0, MOST_ELSEWHERE) : [];
  const cut_off = moment === "end" ? state.turn_cut_off : undefined;
  try {
    const snapshot = await takeSnapshot(record, {
      session_id: state.session_id,
      agent: state.agent,
      turn_id: state.turn_id,
      moment,
      at,
      ...(prompt !== undefined && { prompt }),
      ...(isLate && { isLate }),
      ...(cut_off && { cut_off }),
      ...(elsewhere.length > 0 && { elsewhere }),
      ...(moment === "end" && !paths && { meanwhile: meanwhile(record, state) }),
      ...(cut_off === "user" && { afterStop: filesAfterStop(record, state) }),
      ...(moment === "end" && leftByTurn(state).size > 0 && { left_running: true }),
      ...(story && { story }),
      ...(paths || isNamed ? { paths: paths ?? files } : { named: files }),
    });
    sayLeftOut(record, log, snapshot);
    return snapshot;
  } catch (error) {
    log("warn", `No snapshot at the ${moment} of turn ${state.turn_id}`, error);
    return undefined;
  }
}

/** Files that lie around for months are mentioned only once. */
const said = new WeakMap<RecordingContext["record"], Set<string>>();

/** Where the reason is not a word that everybody understands. */
const IN_WORDS: Partial<Record<LeftOut["why"], string>> = {
  elsewhere: "it is behind a link, or in another repository",
  unfiltered: "it goes through a filter that only .git/config names, which Seam does not run",
};

/** Files with secrets always stay out, so that is not mentioned. */
function sayLeftOut(
  record: RecordingContext["record"],
  log: RecordingContext["log"],
  { record: about }: Snapshot,
) {
  const known = said.get(record) ?? new Set<string>();
  said.set(record, known);
  for (const { path, why, files } of about.left_out ?? []) {
    if (known.has(path) || why === "secret") continue;
    known.add(path);
    const count = files === undefined ? "" : ` (${files} untracked files)`;
    log("warn", `${path} is left out of snapshots: ${IN_WORDS[why] ?? why}${count}`);
  }
}
