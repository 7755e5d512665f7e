import { existsSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { atRepo, git, headOf, type Repo, readRef } from "../../git/index.ts";
import { checkoutsOf } from "../history/checkouts.ts";
import { moveRef } from "../history/move-ref.ts";
import { hasEmptyFolder } from "./empty-folders.ts";
import { emptySubmodules } from "./nested-repositories.ts";
import { forgetConflicts } from "./open-conflicts.ts";
import {
  ignoredUnlessChanged,
  type SlotTree,
  shareIndex,
  slotGit,
  trySlotGit,
} from "./slot-git.ts";
import { clearHalfDone, clearLocks } from "./slot-tree.ts";

/**
 * Puts a commit into a worktree and takes out everything else, except what git ignores: packages
 * that are installed and what was built before are what makes a slot warm. Costs what differs. Says
 * whether something that a setup command makes had to go. `branch` is what HEAD becomes if that branch is
 * still to be made.
 */
export async function checkOut(tree: SlotTree, commit: string, branch?: string): Promise<boolean> {
  clearLocks(tree);
  clearHalfDone(tree.repo.gitDir);
  forgetConflicts(tree);
  if (!(await checkOutNew(tree, commit, branch))) {
    await slotGit(tree, ["checkout", "--quiet", "--force", "--detach", commit]);
  }
  // Twice: also repositories that somebody made in it.
  await slotGit(tree, ["clean", "--quiet", "-d", "--force", "--force"]);
  const hasLost = await emptySubmodules(tree);
  shareIndex(tree);
  return hasLost;
}

/**
 * Whether a commit is what a worktree has, and nothing else but what git ignores. Seam's index says
 * so: a worktree that was given back there needs no checkout for a task that begins there.
 */
export async function isAt(tree: SlotTree, commit: string): Promise<boolean> {
  // What is in submodules is looked at by a checkout alone.
  if (existsSync(join(tree.path, ".gitmodules"))) return false;
  clearLocks(tree);
  clearHalfDone(tree.repo.gitDir);
  if ((await headOf(tree.repo).catch(() => undefined))?.commit !== commit) return false;
  const ignored = await ignoredUnlessChanged(tree);
  if (ignored === undefined || hasEmptyFolder(tree.path, ignored)) return false;
  forgetConflicts(tree);
  shareIndex(tree);
  return true;
}

/** Makes the branch with the same call of git. False: it is there, or git could not make it now. */
async function checkOutNew(tree: SlotTree, commit: string, branch?: string): Promise<boolean> {
  if (branch === undefined) return false;
  if ((await readRef(tree.repo, `refs/heads/${branch}`)) !== undefined) return false;
  const args = ["checkout", "--quiet", "--force", "--no-track", "-b", branch, commit];
  return (await trySlotGit(tree, args)).code === 0;
}

/**
 * Makes the worktree's HEAD the task's branch, which is made if it is not there. A branch that is
 * checked out elsewhere is left to whoever looks at it: HEAD stays at the commit.
 */
export async function standOn(
  tree: SlotTree,
  branch: string,
  commit: string,
  note: (text: string) => void,
): Promise<void> {
  const { repo } = tree;
  const others = (await checkoutsOf(repo, branch)).filter((path) => path !== tree.path);
  if (others.length > 0) {
    note(`The branch ${branch} is checked out in ${others[0]}, so it is left alone.`);
    return;
  }
  if ((await headOf(repo)).branch === branch) return;
  const ref = `refs/heads/${branch}`;
  if ((await readRef(repo, ref)) === undefined) {
    await moveRef(repo, ref, commit, null, "seam: a task begins");
  }
  await setHead(repo, ref);
}

export async function setHead(repo: Repo, ref: string): Promise<void> {
  if (writeHead(repo, `ref: ${ref}`)) return;
  await git([...atRepo(repo), "symbolic-ref", "HEAD", ref], { cwd: repo.gitDir });
}

/** Lets go of the branch, so that others can check it out or delete it. */
export async function detachHead(repo: Repo, commit: string): Promise<void> {
  if (writeHead(repo, commit)) return;
  await git([...atRepo(repo), "update-ref", "--no-deref", "HEAD", commit], { cwd: repo.gitDir });
}

/** Nobody else works in the worktree while its HEAD is moved. False: git keeps it elsewhere. */
function writeHead(repo: Repo, text: string): boolean {
  if (repo.refFormat !== "files") return false;
  replaceFile(join(repo.gitDir, "HEAD"), `${text}\n`);
  return true;
}
