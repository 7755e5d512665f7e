import { allProtectedDirs } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import {
  diffTrees,
  git,
  headOf,
  inProgress,
  ObjectBatch,
  type ObjectStore,
  pathFromShown,
  type RawPath,
  type Repo,
  rawPath,
  shownPath,
  type TreeDifference,
  treeValueAt,
} from "../../git/index.ts";
import { PROJECT_DIR } from "../../settings/index.ts";
import type { RepoRecord } from "../repo-record.ts";
import { wholeWorkTree } from "../snapshot/work-tree.ts";
import { obstacles } from "./obstacles.ts";
import type { RewindTarget } from "./target.ts";

export interface RewindChange extends TreeDifference {
  readonly kind: "added" | "changed" | "deleted";
}

/** Why a file that differs is not touched. */
export type LeftWhy = "agent" | "repository" | "unsaved" | "untracked" | "absent" | "in the way";

export interface RewindPlan {
  readonly target: RewindTarget;
  /** The work tree now. */
  readonly tree: string;
  readonly head?: string;
  readonly leftOut: readonly string[];
  readonly changes: readonly RewindChange[];
  readonly left: readonly { readonly path: string; readonly why: LeftWhy }[];
  /** Agents that are at work in this work tree. */
  readonly atWork: readonly string[];
  /** Holds what the plan stands on. */
  readonly batch: ObjectBatch;
}

/** What a rewind would change. Changes nothing in the work tree. */
export async function planRewind(record: RepoRecord, target: RewindTarget): Promise<RewindPlan> {
  const { repo, store, states } = record;
  const workTree = rewindable(repo);
  const head = await headOf(repo);
  const batch = new ObjectBatch(store);
  const root = head.commit === undefined ? undefined : await store.info(`${head.commit}^{tree}`);
  const { tree, leftOut } = await wholeWorkTree(batch, root?.id);
  const untracked = target.isWhole ? new Set<RawPath>() : await untrackedFiles(repo, workTree);
  const unsaved = new Set([
    ...(await unknownIn(store, tree, leftOut)),
    ...(await unknownIn(store, target.tree, target.leftOut)),
  ]);
  const left: { path: string; why: LeftWhy }[] = [];
  const wanted: RewindChange[] = [];
  for (const difference of await diffTrees(store, tree, target.tree)) {
    const { path, before, after } = difference;
    const shown = shownPath(path);
    const why = leftAlone(difference, unsaved.has(shown), untracked.has(path));
    if (why) left.push({ path: shown, why });
    else wanted.push({ ...difference, kind: !before ? "added" : after ? "changed" : "deleted" });
  }
  const blocked = obstacles(workTree, wanted);
  for (const [path, why] of blocked) left.push({ path: shownPath(path), why });
  return {
    target,
    tree,
    ...(head.commit !== undefined && { head: head.commit }),
    leftOut,
    changes: wanted.filter(({ path }) => !blocked.has(path)),
    left: left.sort((a, b) => (a.path < b.path ? -1 : 1)),
    atWork: states
      .live()
      .filter(({ phase, work_tree }) => phase === "active" && work_tree === workTree)
      .map(({ agent }) => agent),
    batch,
  };
}

/** Its work tree; throws where nothing may be changed. */
export function rewindable(repo: Repo): string {
  if (repo.workTree === undefined) throw new SeamError("SEAM_REWIND_BARE", { path: repo.gitDir });
  const operation = inProgress(repo);
  if (operation !== undefined && operation !== "bisect") {
    throw new SeamError("SEAM_REWIND_BUSY", { operation });
  }
  return repo.workTree;
}

const FOLDER = "40000";
const GITLINK = "160000";

const PROTECTED = [...allProtectedDirs(), PROJECT_DIR].map((dir) => rawPath(dir));

function leftAlone(
  { path, before, after }: TreeDifference,
  isUnsaved: boolean,
  isUntracked: boolean,
): LeftWhy | undefined {
  if (PROTECTED.some((dir) => path === dir || path.startsWith(`${dir}/`))) return "agent";
  if (before?.mode === GITLINK || after?.mode === GITLINK) return "repository";
  if (isUnsaved) return "unsaved";
  return isUntracked && !after ? "untracked" : undefined;
}

/**
 * Of the files that were left out of a tree, those it is silent about. A file that became a folder,
 * or whose folder became a link, was left out too, but the tree says all there is to say.
 */
async function unknownIn(
  store: ObjectStore,
  tree: string,
  leftOut: readonly string[],
): Promise<string[]> {
  const unknown: string[] = [];
  for (const shown of leftOut) {
    if (!(await isReplaced(store, tree, pathFromShown(shown)))) unknown.push(shown);
  }
  return unknown;
}

async function isReplaced(store: ObjectStore, tree: string, path: RawPath): Promise<boolean> {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const value = await treeValueAt(store, tree, path.slice(0, slash) as RawPath);
    if (!value) return false;
    if (value.mode !== FOLDER) return value.mode !== GITLINK;
  }
  return (await treeValueAt(store, tree, path))?.mode === FOLDER;
}

async function untrackedFiles(repo: Repo, workTree: string): Promise<Set<RawPath>> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  const dirs = ["--git-dir", repo.gitDir, "--work-tree", workTree];
  const output = await git([...dirs, ...args], { cwd: workTree });
  return new Set(output.toString("latin1").split("\0") as RawPath[]);
}
