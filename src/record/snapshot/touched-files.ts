import {
  diffTrees,
  type ObjectStore,
  pathFromShown,
  type RawPath,
  shownPath,
  type TreeValue,
  treeValueAt,
} from "../../git/index.ts";
import type { Keeper } from "../keeper.ts";
import type { SessionState, TouchedFile } from "../session/state.ts";
import { stashLookup } from "./stashed.ts";
import type { Snapshot } from "./take-snapshot.ts";

/**
 * What changed in the turn is what the session touched, unless another session says it was that.
 * What its tools named is its own in any case: the snapshot at the prompt may have come late.
 */
export async function withTouchedFiles(
  keeper: Keeper,
  before: SessionState,
  snapshot: Snapshot,
): Promise<SessionState> {
  const { store, states } = keeper.record;
  const state = await withoutSettledFiles(keeper, before, snapshot);
  const head = await headTree(store, snapshot);
  const named = new Set(state.turn_files);
  const others = states
    .live()
    .filter((other) => other.session_id !== state.session_id || other.agent !== state.agent)
    .filter(({ work_tree }) => work_tree === state.work_tree);
  const files: Record<string, TouchedFile> = { ...state.pending.files };
  for (const [shown, after] of await changesOf(keeper, state, snapshot)) {
    const blob = after?.id ?? null;
    // What a commit in this turn has taken up already is not pending.
    if (isSame(await valueAt(store, head, pathFromShown(shown)), after)) {
      delete files[shown];
      continue;
    }
    const isTheirs = others.some(
      ({ phase, pending, turn_files = [] }) =>
        (phase === "active" && turn_files.includes(shown)) || pending.files[shown]?.blob === blob,
    );
    if (isTheirs && !named.has(shown)) continue;
    files[shown] = { blob, ...(after && { mode: after.mode }), turn: state.turn_id ?? "" };
  }
  return { ...state, pending: { ...state.pending, files } };
}

/** Without files that are now as in the last commit: taken up by one, or undone for good. */
export async function withoutSettledFiles(
  { record: { store } }: Keeper,
  state: SessionState,
  snapshot: Snapshot,
): Promise<SessionState> {
  const head = await headTree(store, snapshot);
  const isStashed = stashLookup(store);
  const unknown = new Set(snapshot.record.left_out?.map(({ path }) => path));
  const files: Record<string, TouchedFile> = {};
  for (const [shown, file] of Object.entries(state.pending.files)) {
    const path = pathFromShown(shown);
    const now = await valueAt(store, snapshot.tree, path);
    const isSettled = !unknown.has(shown) && isSame(now, await valueAt(store, head, path));
    if (!isSettled || (await isStashed(shown, file))) files[shown] = file;
  }
  return { ...state, pending: { ...state.pending, files } };
}

/** Paths the turn changed, with what is there now. */
async function changesOf(
  { record: { store }, log }: Keeper,
  { turn_start_tree: start, turn_files = [], turn_id }: SessionState,
  { tree, unstored }: Snapshot,
): Promise<Map<string, TreeValue | undefined>> {
  const changed = new Map<string, TreeValue | undefined>();
  for (const shown of turn_files) {
    const id = unstored?.get(shown);
    const value = await valueAt(store, tree, pathFromShown(shown));
    changed.set(shown, id === undefined ? value : { mode: value?.mode ?? "100644", id });
  }
  if (start === undefined) return changed;
  try {
    for (const { path, after } of await diffTrees(store, start, tree)) {
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

async function valueAt(
  store: ObjectStore,
  tree: string | undefined,
  path: RawPath,
): Promise<TreeValue | undefined> {
  return tree === undefined ? undefined : treeValueAt(store, tree, path);
}

const isSame = (a: TreeValue | undefined, b: TreeValue | undefined) =>
  a?.id === b?.id && a?.mode === b?.mode;
