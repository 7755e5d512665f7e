import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atRepo, type GitResult, git, ownFilters, type Repo, runGit } from "../../git/index.ts";

type Setting = readonly [key: string, value: string];

/** A worktree of the pool, as Seam's own calls of git see it. */
export interface SlotTree {
  readonly repo: Repo;
  readonly path: string;
  readonly sparse?: readonly string[] | undefined;
}

/**
 * Seam's own index of a slot. What an agent does to the worktree's index (a lock that stays, files
 * that it says never change, rubbish) is none of its business.
 */
const OWN_INDEX = "seam-index";

export const ownIndexOf = ({ repo }: SlotTree) => join(repo.gitDir, OWN_INDEX);

/** Never those of the shared configuration, and never written there. */
export function sparseSettings(sparse: readonly string[] | undefined): Setting[] {
  const isSparse = sparse !== undefined;
  return [
    ["core.sparseCheckout", String(isSparse)],
    ...(isSparse ? ([["core.sparseCheckoutCone", "true"]] as const) : []),
  ];
}

async function prepared(tree: SlotTree, args: readonly string[], input?: string | Buffer) {
  const { repo, path, sparse } = tree;
  const settings: Setting[] = [
    ...(await ownFilters(repo)),
    ...sparseSettings(sparse),
    ["advice.addEmbeddedRepo", "false"],
    ["core.safecrlf", "false"],
    // A project may not choose how Seam compares files with its index.
    ["core.splitIndex", "false"],
    ["core.untrackedCache", "false"],
  ];
  const all = [...atRepo(repo), "--work-tree", path, ...args];
  return {
    all,
    options: { cwd: path, settings, input, env: { GIT_INDEX_FILE: ownIndexOf(tree) } },
  };
}

/** Runs git on the worktree with Seam's own index. Throws with git's words when it fails. */
export async function slotGit(
  tree: SlotTree,
  args: readonly string[],
  input?: string | Buffer,
): Promise<Buffer> {
  const { all, options } = await prepared(tree, args, input);
  return git(all, options);
}

/** The same for commands whose exit code is an answer. */
export async function trySlotGit(tree: SlotTree, args: readonly string[]): Promise<GitResult> {
  const { all, options } = await prepared(tree, args);
  return runGit(all, options);
}

/** Whether the files of a worktree are those of its HEAD, and there is nothing else in it. */
export async function hasNoChanges(tree: SlotTree): Promise<boolean> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none"];
  const { code, stdout } = await trySlotGit(tree, args);
  return code === 0 && stdout.length === 0;
}

/** Gives the worktree the index that Seam has, so that whoever looks at it sees no changes. */
export function shareIndex(tree: SlotTree): void {
  const { gitDir } = tree.repo;
  const copy = join(gitDir, `${OWN_INDEX}.copy`);
  copyFileSync(ownIndexOf(tree), copy);
  rmSync(join(gitDir, "index.lock"), { force: true });
  renameSync(copy, join(gitDir, "index"));
}
