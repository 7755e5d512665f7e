import {
  diffTrees,
  type ObjectStore,
  pathFromShown,
  shownPath,
  TreeLookup,
  type TreeValue,
} from "../../git/index.ts";
import { isSameSession, whoChanged } from "../link/who-changed.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { SessionState, TouchedFile } from "../session/state.ts";
import { isLater } from "./after-stop.ts";
import { differenceCheck, floodCheck } from "./left-out.ts";
import { stashLookup } from "./stashed.ts";
import type { Snapshot } from "./take-snapshot.ts";

/**
 * What changed in the turn is what the session touched, unless another session says it was that.
 * What its tools named is its own in any case: the snapshot at the prompt may have come late.
 */
export async function withTouchedFiles(
  context: RecordingContext,
  before: SessionState,
  snapshot: Snapshot,
): Promise<SessionState> {
  const { store, states } = context.record;
  const trees = new TreeLookup(store);
  const state = await withoutSettledFiles(context, before, snapshot);
  const head = await headTree(store, snapshot);
  const named = new Set(state.turn_files);
  const others = states
    .live()
    .filter((other) => !isSameSession(other, state) && other.work_tree === state.work_tree);
  const changer = whoChanged(context.record.repo, [
    state,
    ...states.recent().filter((other) => !isSameSession(other, state)),
  ]);
  const files: Record<string, TouchedFile> = { ...state.pending.files };
  for (const [shown, after] of await changesOf(context, state, snapshot, head)) {
    const blob = after?.id ?? null;
    // What a commit in this turn has taken up already is not pending, nor if it was taken back since.
    if (snapshot.undone?.has(shown) || isSame(await trees.at(head, pathFromShown(shown)), after)) {
      delete files[shown];
      continue;
    }
    const by = named.has(shown) ? undefined : changer(state, shown);
    const isClaimed = others.some(({ pending: { files: theirs } }) => {
      const { blob: left, one_of } = theirs[shown] ?? {};
      return left === blob && !(one_of && by?.who === "one of");
    });
    if (by?.who === "others" || by?.who === "nobody" || (by && isClaimed)) continue;
    // Changes after the user stopped the agent are the user's, or of a program of theirs.
    if (!named.has(shown) && isLater(context.record.repo, shown, state.interrupted)) continue;
    files[shown] = {
      blob,
      ...(after && { mode: after.mode }),
      turn: state.turn_id ?? "",
      ...(by?.who === "one of" && { one_of: by.others.map(({ session_id }) => session_id) }),
    };
  }
  return { ...state, pending: { ...state.pending, files } };
}

/** Without files that are now as in the last commit: taken up by one, or undone for good. */
export async function withoutSettledFiles(
  { record: { store } }: RecordingContext,
  state: SessionState,
  snapshot: Snapshot,
): Promise<SessionState> {
  const head = await headTree(store, snapshot);
  const isStashed = stashLookup(store);
  const trees = new TreeLookup(store);
  const unknown = new Set(snapshot.record.left_out?.map(({ path }) => path));
  const isFlooded = floodCheck(snapshot.record.left_out ?? []);
  const files: Record<string, TouchedFile> = {};
  for (const [shown, file] of Object.entries(state.pending.files)) {
    const path = pathFromShown(shown);
    const now = await trees.at(snapshot.tree, path);
    const isKnown = !unknown.has(shown) && (now !== undefined || !isFlooded(path));
    const isSettled = isKnown && isSame(now, await trees.at(head, path));
    if (!isSettled || (await isStashed(shown, file))) files[shown] = file;
  }
  return { ...state, pending: { ...state.pending, files } };
}

/** Paths the turn changed, with what is there now. */
async function changesOf(
  { record: { store }, log }: RecordingContext,
  { turn_start_tree: start, turn_files = [], turn_id }: SessionState,
  { tree, unstored, record, before }: Snapshot,
  head: string | undefined,
): Promise<Map<string, TreeValue | undefined>> {
  const changed = new Map<string, TreeValue | undefined>();
  const trees = new TreeLookup(store);
  for (const shown of turn_files) {
    const id = unstored?.get(shown);
    const value = await trees.at(tree, pathFromShown(shown));
    changed.set(shown, id === undefined ? value : { mode: value?.mode ?? "100644", id });
  }
  if (start === undefined) return changed;
  try {
    const leftOutThen = before?.turn_id === turn_id ? before?.left_out : undefined;
    const isDifference = differenceCheck(leftOutThen, record.left_out);
    for (const difference of await diffTrees(store, start, tree)) {
      const { path, after } = difference;
      // What git tracks is known also where untracked files around it were left out.
      if (!isDifference(difference) && !(await trees.at(head, path))) continue;
      changed.set(shownPath(path), after);
    }
  } catch (error) {
    log("warn", `What turn ${turn_id} changed is known from its tools alone`, error);
  }
  return changed;
}

async function headTree(store: ObjectStore, { record }: Snapshot): Promise<string | undefined> {
  return record.head === undefined ? undefined : (await store.info(`${record.head}^{tree}`))?.id;
}

const isSame = (a: TreeValue | undefined, b: TreeValue | undefined) =>
  a?.id === b?.id && a?.mode === b?.mode;
