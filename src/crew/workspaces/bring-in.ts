import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { replaceFile } from "../../files/index.ts";
import { atRepo, git } from "../../git/index.ts";
import { commitOf, isContained, writeCommit } from "../history/commits.ts";
import { type Conflict, mergeTrees } from "../history/merge-trees.ts";
import { moveRef } from "../history/move-ref.ts";
import { checkOut, standOn } from "./fill-slot.ts";
import { rememberConflicts } from "./open-conflicts.ts";
import { saveWork } from "./save-work.ts";
import { listed, type SlotTree, shareIndex, slotGit } from "./slot-git.ts";
import { adminNamedIn, seenFrom, sharedBy } from "./slot-tree.ts";
import { outsideOf } from "./sparse.ts";
import type { Workspace } from "./workspace.ts";

export interface BroughtIn {
  /** What was merged. */
  readonly commit: string;
  /** Files with both sides between marks, for whoever works here to finish. */
  readonly conflicts: readonly string[];
  /** git's own words for each of them. */
  readonly words: readonly string[];
}

/**
 * Merges another commit into a workspace, after what is in it was saved. Where both changed the same
 * lines, the worktree is left as `git merge` leaves it: both sides between marks, the merge to be
 * finished by whoever works there. `saveWork` then makes the merge of it.
 */
export async function bringIn(workspace: Workspace, name: string): Promise<BroughtIn> {
  const { path, sparse, branch } = workspace;
  const repo = sharedBy(workspace.repo);
  if (branch === undefined)
    throw new SeamError("SEAM_CREW_SLOT", { path, detail: "it has no branch" });
  const { commit: ours } = await saveWork(workspace, `Work of ${workspace.task}`);
  const theirs = await commitOf(repo, name);
  if (await isContained(repo, theirs, ours)) return { commit: theirs, conflicts: [], words: [] };
  const tree: SlotTree = {
    repo: seenFrom(repo, adminNamedIn(path) ?? workspace.repo.gitDir, path),
    path,
    sparse,
  };
  const merged = await mergeTrees(repo, ours, theirs);
  if ("conflict" in merged) {
    await leaveOpen(tree, theirs, merged.conflict);
    const { files, words } = merged.conflict;
    return { commit: theirs, conflicts: files, words };
  }
  const parents = [ours, theirs];
  const message = `Merge what was done meanwhile into ${branch}`;
  const commit = await writeCommit(repo, { tree: merged.tree, parents, message });
  await checkOut(tree, commit);
  await moveRef(repo, `refs/heads/${branch}`, commit, ours, "seam: brought in");
  await standOn(tree, branch, commit, () => {});
  return { commit: theirs, conflicts: [], words: [] };
}

/** Whoever finishes the merge has to see also what is in none of the folders of the worktree. */
async function showOutside(tree: SlotTree, sparse: readonly string[], conflict: Conflict) {
  const marked = await listed(tree, ["ls-tree", "-r", "-z", "--name-only", conflict.markedTree]);
  const inConflict = new Set(conflict.stages.map(({ path }) => path));
  const paths = outsideOf(sparse, marked).filter((path) => inConflict.has(path));
  const input = Buffer.from(paths.join("\0"), "latin1");
  await slotGit(tree, ["update-index", "--no-skip-worktree", "-z", "--stdin"], input);
  await slotGit(tree, ["checkout-index", "--force", "-z", "--stdin"], input);
}

/** Files and index as in the middle of `git merge`, which agents know how to finish. */
async function leaveOpen(tree: SlotTree, theirs: string, conflict: Conflict): Promise<void> {
  const { gitDir } = tree.repo;
  rememberConflicts(tree, new Set(conflict.stages.map(({ path }) => path)));
  replaceFile(join(gitDir, "MERGE_HEAD"), `${theirs}\n`);
  replaceFile(join(gitDir, "MERGE_MSG"), "Merge what was done meanwhile\n");
  replaceFile(join(gitDir, "MERGE_MODE"), "");
  await slotGit(tree, ["read-tree", "-u", "--reset", conflict.markedTree]);
  if (tree.sparse) await showOutside(tree, tree.sparse, conflict);
  shareIndex(tree);
  const zero = "0".repeat(conflict.markedTree.length);
  const gone = conflict.stages.map(({ path }) => `0 ${zero}\t${path}\0`);
  const sides = conflict.stages.map(
    ({ mode, id, stage, path }) => `${mode} ${id} ${stage}\t${path}\0`,
  );
  const args = [...atRepo(tree.repo), "update-index", "-z", "--index-info"];
  const input = Buffer.from([...new Set(gone), ...sides].join(""), "latin1");
  await git(args, { cwd: tree.path, input, settings: [] });
}
