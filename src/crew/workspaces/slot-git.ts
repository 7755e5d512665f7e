import { constants, copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  atRepo,
  type GitResult,
  git,
  ownFilters,
  type RawPath,
  type Repo,
  runGit,
} from "../../git/index.ts";
import { slotFile } from "./slot-files.ts";

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
export const ownIndexOf = ({ repo }: Pick<SlotTree, "repo">) => slotFile(repo, "index");

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
    ["core.trustctime", "true"],
    ["core.checkStat", "default"],
  ];
  const all = [...atRepo(repo), "--work-tree", path, ...args];
  // Which folder is the shared one is also written in the git folder that agents can change.
  const env = { GIT_INDEX_FILE: ownIndexOf(tree), GIT_COMMON_DIR: repo.commonDir };
  return { all, options: { cwd: path, settings, input, env } };
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

/** The paths that a command of git prints with -z. */
export async function listed(tree: SlotTree, args: readonly string[]): Promise<RawPath[]> {
  const names = (await slotGit(tree, args)).toString("latin1").split("\0") as RawPath[];
  return names.filter((name) => name !== "");
}

/** Runs git in the same way for commands whose exit code is an answer. */
export async function trySlotGit(tree: SlotTree, args: readonly string[]): Promise<GitResult> {
  const { all, options } = await prepared(tree, args);
  return runGit(all, options);
}

const STATUS = ["status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none"];

/** Whether the files of a worktree are those of its HEAD, and there is no other file in it. */
export async function hasNoChanges(tree: SlotTree): Promise<boolean> {
  const { code, stdout } = await trySlotGit(tree, STATUS);
  return code === 0 && stdout.length === 0;
}

/** What git ignores in a worktree; undefined if there is a file in it that is not as in its HEAD. */
export async function ignoredUnlessChanged(tree: SlotTree): Promise<RawPath[] | undefined> {
  const { code, stdout } = await trySlotGit(tree, [...STATUS, "--ignored=matching"]);
  if (code !== 0) return undefined;
  const entries = stdout.toString("latin1").split("\0").filter(Boolean);
  if (!entries.every((entry) => entry.startsWith("!! "))) return undefined;
  return entries.map((entry) => entry.slice("!! ".length) as RawPath);
}

/** Gives the worktree the index that Seam has, so that whoever looks at it sees no changes. */
export function shareIndex(tree: SlotTree): void {
  const { gitDir } = tree.repo;
  const copy = join(gitDir, "seam-index.copy");
  // An agent may have left a link there, which leads to a file that is none of its own.
  rmSync(copy, { recursive: true, force: true });
  copyFileSync(ownIndexOf(tree), copy, constants.COPYFILE_EXCL);
  rmSync(join(gitDir, "index.lock"), { recursive: true, force: true });
  renameSync(copy, join(gitDir, "index"));
}
