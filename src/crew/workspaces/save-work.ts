import { copyFileSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { readText } from "../../files/index.ts";
import {
  headOf,
  pathBytes,
  pathFromShown,
  type Repo,
  readRef,
  shownPath,
} from "../../git/index.ts";
import { checkoutsOf } from "../history/checkouts.ts";
import { independent, treeOf, writeCommit } from "../history/commits.ts";
import { moveRef } from "../history/move-ref.ts";
import { type Added, addAll, changedSince } from "./add-all.ts";
import { detachHead, setHead } from "./fill-slot.ts";
import { openConflicts } from "./open-conflicts.ts";
import { hasNoChanges, type SlotTree, shareIndex, slotGit } from "./slot-git.ts";
import {
  clearHalfDone,
  clearLocks,
  ensureTree,
  holdsFiles,
  seenFrom,
  sharedBy,
} from "./slot-tree.ts";
import type { Workspace } from "./workspace.ts";

export interface SavedWork {
  /** The commit with everything; the task's last one if nothing was new. */
  readonly commit: string;
  /** Files that differ from what the task began with. */
  readonly changed: readonly string[];
  /** Files of a merge that still have both sides in them: nobody has finished it. */
  readonly unresolved: readonly string[];
  /** Files that must not get into git through Seam. They are in the workspace alone. */
  readonly leftOut: readonly string[];
  /** What was odd, what could not be saved and where it is, in whole sentences. */
  readonly notes: readonly string[];
}

/** What a commit is called, asked only if there is one. */
export type CommitMessage = (repo: Repo) => Promise<string>;

/** So often somebody else may move the task's branch while its work is saved. */
const MOST_TRIES = 5;

/**
 * Commits everything in a workspace on the task's branch, untracked files too, whatever branch the
 * agent switched to and whatever it did to the index. Commits that the agent made are kept as
 * parents. To save twice is to save once. Nobody may work in it meanwhile.
 */
export async function saveWork(
  workspace: Workspace,
  message: string | CommitMessage,
): Promise<SavedWork> {
  for (let tries = 1; ; tries++) {
    const saved = await save(workspace, message);
    if (saved !== "moved") return saved;
    const ref = `refs/heads/${workspace.branch}`;
    if (tries === MOST_TRIES) throw new SeamError("SEAM_CREW_TARGET_BUSY", { ref });
  }
}

/** The commit with everything that is in a workspace, if nothing changed since it was saved. */
export async function savedAs({
  repo,
  path,
  sparse,
  branch,
}: Workspace): Promise<string | undefined> {
  if (branch === undefined || !holdsFiles(path)) return undefined;
  const [tip, head] = await Promise.all([
    readRef(sharedBy(repo), `refs/heads/${branch}`),
    headOf(repo).catch(() => undefined),
  ]);
  const isMerging = readText(join(repo.gitDir, "MERGE_HEAD")) !== undefined;
  if (tip === undefined || head?.branch !== branch || isMerging) return undefined;
  return (await hasNoChanges({ repo, path, sparse })) ? tip : undefined;
}

/** What saving a workspace comes to in which nothing was done. Undefined: something was. */
export async function unchangedWork(workspace: Workspace): Promise<SavedWork | undefined> {
  const commit = await savedAs(workspace);
  if (commit === undefined || commit !== workspace.base) return undefined;
  return { commit, changed: [], unresolved: [], leftOut: [], notes: [] };
}

async function save(
  workspace: Workspace,
  message: string | CommitMessage,
): Promise<SavedWork | "moved"> {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const { path, base, sparse, branch, run, task } = workspace;
  if (branch === undefined)
    throw new SeamError("SEAM_CREW_SLOT", { path, detail: "it has no branch" });
  const shared = sharedBy(workspace.repo);
  const ref = await refToMove(shared, path, branch, note);
  const tip = await readRef(shared, ref);
  const start = tip ?? base;
  const wasThere = holdsFiles(path);
  const gitDir = await ensureTree(shared, path, workspace.repo.gitDir, start, note);
  const tree: SlotTree = { repo: seenFrom(shared, gitDir, path), path, sparse };
  const parents = await parentsOf(tree, branch, start, note);
  clearLocks(tree);
  const kept = `refs/seam/crew/kept/${run}/${task}`;
  const last = parents.at(-1) ?? start;
  const [{ tree: content, leftOut, changed }, before] = await Promise.all([
    wasThere
      ? addAll(tree, { tip: start, base, keepAt: kept }, note)
      : fromCommit(tree, last, base, note),
    treeOf(tree.repo, last),
  ]);
  const isNew = parents.length > 1 || before !== content;
  const words = async () => (typeof message === "string" ? message : message(tree.repo));
  const commit = isNew
    ? await writeCommit(tree.repo, { tree: content, parents, message: await words() })
    : last;
  if (commit !== tip) {
    const moved = await moveRef(tree.repo, ref, commit, tip ?? null, "seam: work saved");
    if (!moved.ok) return "moved";
  }
  clearHalfDone(gitDir);
  await settleHead(tree, ref, branch, commit);
  const unresolved = openConflicts(tree);
  return { commit, changed, unresolved, leftOut: leftOut.map(shownPath), notes };
}

/** The task's branch, unless somebody looks at it: then it would move under their files. */
async function refToMove(
  repo: Repo,
  path: string,
  branch: string,
  note: (text: string) => void,
): Promise<string> {
  const others = (await checkoutsOf(repo, branch)).filter((other) => other !== path);
  if (others.length === 0) return `refs/heads/${branch}`;
  const ref = `refs/seam/crew/work/${branch}`;
  note(`The branch ${branch} is checked out in ${others[0]}: the work is saved at ${ref} instead.`);
  return ref;
}

/** What the task had, and every commit that the agent made in the worktree or wanted to merge. */
async function parentsOf(
  tree: SlotTree,
  branch: string,
  start: string,
  note: (text: string) => void,
): Promise<string[]> {
  const head = await headOf(tree.repo).catch(() => undefined);
  if (head?.branch !== undefined && head.branch !== branch) {
    note(`The agent had switched to the branch ${head.branch}.`);
  }
  const merging = readText(join(tree.repo.gitDir, "MERGE_HEAD"))?.split("\n").filter(Boolean);
  const found = [start, ...(head?.commit === undefined ? [] : [head.commit]), ...(merging ?? [])];
  return independent(tree.repo, found);
}

/** The worktree is gone: what the agent had committed is all there is. */
async function fromCommit(
  tree: SlotTree,
  commit: string,
  base: string,
  note: (text: string) => void,
): Promise<Added> {
  note("The files of the worktree were gone: only what was committed before is saved.");
  await slotGit(tree, ["checkout", "--quiet", "--force", "--detach", commit]);
  const changed = await changedSince(tree, base);
  return { tree: await treeOf(tree.repo, commit), leftOut: [], changed };
}

/** Whoever goes on in the worktree finds it on the task's branch, with nothing to commit. */
async function settleHead(tree: SlotTree, ref: string, branch: string, commit: string) {
  const head = await headOf(tree.repo).catch(() => undefined);
  if (ref === `refs/heads/${branch}`) {
    if (head?.branch !== branch) await setHead(tree.repo, ref);
  } else await detachHead(tree.repo, commit);
  shareIndex(tree);
}

/**
 * Copies files that are not saved in git out of a workspace before it is cleaned for the next task.
 * Returns where they are; undefined if there are none.
 */
export function keepAside(
  path: string,
  files: readonly string[],
  folder: string,
): string | undefined {
  if (files.length === 0) return undefined;
  for (const shown of files) {
    const name = pathBytes(pathFromShown(shown)).toString();
    if (!lstatSync(join(path, name), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    copyFileSync(join(path, name), join(folder, name));
  }
  return folder;
}
