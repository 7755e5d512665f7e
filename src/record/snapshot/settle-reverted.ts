import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import {
  headOf,
  type ObjectStore,
  pathFromShown,
  type Repo,
  TreeLookup,
  type TreeValue,
  workPath,
} from "../../git/index.ts";
import { stagedChanges } from "../link/commit-diff.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { SessionState, TouchedFile } from "../session/state.ts";
import { stashLookup } from "./stashed.ts";

/**
 * Work of sessions that do nothing at present waits for a commit no longer if somebody undid it:
 * files are as in HEAD, and neither the index nor a stash has them. With the last of it the mark
 * goes that makes commits ask for what is in them.
 */
export async function settleReverted({ record }: RecordingContext, repo: Repo): Promise<void> {
  const { states, store } = record;
  states.tidy();
  const waiting = states.live().filter(({ phase }) => phase !== "active");
  for (const state of waiting) {
    // The session's work tree was deleted, and its work with it.
    if (state.phase === "ended" && !existsSync(state.work_tree)) states.put(withFiles(state, []));
  }
  const here = waiting.filter(({ work_tree }) => work_tree === repo.workTree);
  if (here.length === 0 || repo.workTree === undefined) return;
  const { commit } = await headOf(repo);
  const head = commit === undefined ? undefined : (await store.info(`${commit}^{tree}`))?.id;
  const isStashed = stashLookup(store);
  const trees = new TreeLookup(store);
  let staged: Promise<ReadonlyMap<string, unknown>> | undefined;
  for (const state of here) {
    const files = Object.entries(state.pending.files);
    const left: [string, TouchedFile][] = [];
    for (const [path, file] of files) {
      const isUndone = await isAsIn(
        store,
        await trees.at(head, pathFromShown(path)),
        repo.workTree,
        path,
      );
      if (isUndone) staged ??= stagedChanges(store, repo, commit, undefined);
      if (!isUndone || (await staged)?.has(path) || (await isStashed(path, file))) {
        left.push([path, file]);
      }
    }
    if (left.length < files.length) states.put(withFiles(state, left));
  }
}

/** Only the files are settled: prompts, tokens and skills wait for the next checkpoint. */
function withFiles(state: SessionState, files: readonly [string, TouchedFile][]): SessionState {
  return { ...state, pending: { ...state.pending, files: Object.fromEntries(files) } };
}

/** Bigger files are taken to differ. */
const MAX_COMPARED_BYTES = 10 * 1024 * 1024;

/** Whether a file is byte by byte what a tree has. Where filters change it on its way it is not. */
async function isAsIn(
  store: ObjectStore,
  value: TreeValue | undefined,
  workTree: string,
  shown: string,
): Promise<boolean> {
  const path = pathFromShown(shown);
  const full = workPath(workTree, path);
  try {
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (!stats || !value) return !stats && !value;
    const info = await store.info(value.id);
    if (info?.type !== "blob" || info.size !== stats.size) return false;
    if (info.size > MAX_COMPARED_BYTES || modeOf(stats) !== value.mode) return false;
    const now = stats.isSymbolicLink()
      ? readlinkSync(full, { encoding: "buffer" })
      : readFileSync(full);
    return (await store.read(value.id))?.content.equals(now) ?? false;
  } catch (error) {
    // A folder above it is a file now: then it is not there.
    return isNoFolder(error) && !value;
  }
}

function modeOf(stats: NonNullable<ReturnType<typeof lstatSync>>): TreeValue["mode"] | undefined {
  if (stats.isSymbolicLink()) return "120000";
  if (!stats.isFile()) return undefined;
  return (Number(stats.mode) & 0o100) === 0 ? "100644" : "100755";
}

function isNoFolder(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOTDIR";
}
