import { allProtectedDirs } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  diffTrees,
  editTree,
  git,
  headOf,
  inProgress,
  ObjectBatch,
  type RawPath,
  type Repo,
  rawPath,
  shownPath,
  type TreeDifference,
  unfilteredPaths,
  workPath,
} from "../../git/index.ts";
import { PROJECT_DIR } from "../../settings/index.ts";
import type { RepoRecord } from "../repo-record.ts";
import { floodCheck, type LeftOut } from "../snapshot/left-out.ts";
import { wholeWorkTree } from "../snapshot/work-tree.ts";
import { lineEndDifferences } from "./disk-files.ts";
import { ignoredThen } from "./ignored-then.ts";
import { obstacles, statOf } from "./obstacles.ts";
import type { RewindTarget } from "./target.ts";

export interface RewindChange extends TreeDifference {
  readonly kind: "added" | "changed" | "deleted";
}

/** Why a file that differs is not touched. */
export type LeftWhy =
  | "agent"
  | "repository"
  | "secret"
  | "unsaved"
  | "too many"
  | "untracked"
  | "ignored"
  | "absent"
  | "unfiltered"
  | "in the way";

/** The same for people: what stands before it is the file. */
export const LEFT_TEXT: Readonly<Record<LeftWhy, string>> = {
  agent: "belongs to an agent's own folder",
  repository: "is a repository of its own",
  secret: "holds secrets, or is named so: it is never saved, so it cannot be brought back",
  "too many": "has more untracked files than a snapshot holds, so they could not be saved",
  unsaved: "is too big or unreadable, so it could not be saved",
  ignored: "is ignored by git in that state",
  untracked: "is untracked: a commit does not know it",
  absent: "is not checked out",
  unfiltered: "goes through a filter that only .git/config names, which Seam does not run",
  "in the way": "would take the place of something that git ignores, which is in no snapshot",
};

/** Whether something that the user can move away keeps a file from being brought back. */
export function isHeldUp({ left }: Pick<RewindPlan, "left">): boolean {
  return left.some(({ why }) => why === "in the way");
}

export interface RewindPlan {
  readonly target: RewindTarget;
  /** The work tree now. */
  readonly tree: string;
  readonly head?: string;
  readonly leftOut: readonly LeftOut[];
  /** How files are on the disk now. */
  readonly onDisk?: string | undefined;
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
  const look = { head: root?.id, bounds: record.bounds };
  const { tree, leftOut, onDisk } = await wholeWorkTree(record, batch, look);
  const untracked = target.isWhole ? new Set<RawPath>() : await untrackedFiles(repo, workTree);
  // What they are now could not be saved, what they were then is not known.
  const unknown = new Map(
    [...target.leftOut, ...leftOut].map(({ path, why }) => [path, why] as const),
  );
  const left = new Map<string, LeftWhy>();
  const wanted: RewindChange[] = [];
  for (const [path, why] of unknown) {
    const isSaid = why === "secret" || why === "too many" || why === "unfiltered";
    left.set(path, isSaid ? why : "unsaved");
  }
  const isUnknownThen = floodCheck(target.leftOut);
  const isUnsavedNow = floodCheck(leftOut);
  const differences = await diffTrees(store, tree, target.tree);
  const others = await lineEndDifferences(store, { tree, onDisk }, target, differences);
  for (const difference of [...differences, ...others]) {
    const { path, before, after } = difference;
    // It was left out with its folder, so nobody knows whether it is different.
    if (!after && isUnknownThen(path)) continue;
    if (!before && isUnsavedNow(path) && statOf(workPath(workTree, path))) continue;
    const shown = shownPath(path);
    const why = leftAlone(difference, untracked.has(path)) ?? left.get(shown);
    if (why) left.set(shown, why);
    else wanted.push({ ...difference, kind: !before ? "added" : after ? "changed" : "deleted" });
  }
  const gone = wanted.filter(({ kind }) => kind === "deleted").map(({ path }) => path);
  const changed = wanted.map(({ path }) => path);
  const ignored = await ignoredThen(store, target.tree, changed, gone);
  for (const path of ignored) left.set(shownPath(path), "ignored");
  const unfiltered = await unfilteredPaths(repo, changed);
  for (const path of unfiltered) left.set(shownPath(path), "unfiltered");
  const possible = wanted.filter(({ path }) => !ignored.has(path) && !unfiltered.has(path));
  const blocked = obstacles(workTree, possible);
  for (const [path, why] of blocked) left.set(shownPath(path), why);
  return {
    target,
    tree,
    ...(head.commit !== undefined && { head: head.commit }),
    leftOut,
    onDisk,
    changes: possible.filter(({ path }) => !blocked.has(path)),
    left: [...left]
      .map(([path, why]) => ({ path, why }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
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

const GITLINK = "160000";

const PROTECTED = [...allProtectedDirs(), PROJECT_DIR].map((dir) => rawPath(dir));

function leftAlone(
  { path, before, after }: TreeDifference,
  isUntracked: boolean,
): LeftWhy | undefined {
  if (PROTECTED.some((dir) => path === dir || path.startsWith(`${dir}/`))) return "agent";
  if (before?.mode === GITLINK || after?.mode === GITLINK) return "repository";
  return isUntracked && !after ? "untracked" : undefined;
}

async function untrackedFiles(repo: Repo, workTree: string): Promise<Set<RawPath>> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  const dirs = ["--git-dir", repo.gitDir, "--work-tree", workTree];
  const output = await git([...dirs, ...args], { cwd: workTree });
  return new Set(output.toString("latin1").split("\0") as RawPath[]);
}

/** What a rewind changes, line by line, as git shows it. */
export async function rewindDiff(
  { repo, store }: RepoRecord,
  { tree, changes }: RewindPlan,
  colour: boolean,
): Promise<string> {
  const edits = changes.map(({ path, after }) => ({ path, entry: after ?? null }));
  const after = await editTree(new ObjectBatch(store), tree, edits);
  const args = [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    `--color=${colour ? "always" : "never"}`,
    tree,
    after,
  ];
  const output = await git([...atRepo(repo), ...args], { cwd: repo.workTree ?? repo.gitDir });
  return output.toString().trimEnd();
}
