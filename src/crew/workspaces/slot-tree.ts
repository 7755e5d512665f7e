import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { readText, replaceFile } from "../../files/index.ts";
import { atRepo, git, ownFilters, type Repo } from "../../git/index.ts";
import { makeRoomForSlotFiles, removeSlotFiles } from "./slot-files.ts";
import { ownIndexOf, type SlotTree } from "./slot-git.ts";

/** What git leaves in a worktree's git folder when it is stopped in the middle of something. */
const HALF_DONE =
  /^(MERGE_\w+|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|AUTO_MERGE|BISECT_\w+|rebase-merge|rebase-apply|sequencer)$/;
const LOCK = /\.lock$/;

/** What git takes for a HEAD; with anything else it knows no repository. */
const HEAD = /^(ref: refs\/\S.*|[0-9a-f]{40,64})\s*$/;

const REASON = "a workspace of Seam's crews";

/** The repository as seen from a worktree whose own git folder is known. */
export function seenFrom(repo: Repo, gitDir: string, path: string): Repo {
  return { ...repo, gitDir, workTree: path, worktreeId: basename(gitDir) };
}

/** The repository as its references and objects are seen, whatever becomes of a worktree. */
export function sharedBy(repo: Repo): Repo {
  return { ...repo, gitDir: repo.commonDir, workTree: undefined, worktreeId: "" };
}

/**
 * Makes sure that there is a worktree at a path, and returns its own git folder. Whatever is left of
 * one is used: a folder without its git folder, or the other way round. What stands in the way is
 * moved aside, never deleted; `note` is told.
 */
export async function ensureTree(
  repo: Repo,
  path: string,
  known: string | undefined,
  at: string,
  note: (text: string) => void,
): Promise<string> {
  // It may have been made anew since it was last written down.
  const gitDir = [known, adminNamedIn(path)].find(
    (one) => one !== undefined && isAdmin(repo, one) && leadsTo(one, path),
  );
  if (!isPlainFolder(path)) {
    if (moveAside(path, note)) note(`${path} was no folder any more.`);
    else if (gitDir !== undefined) note(`The folder ${path} was gone.`);
    if (gitDir === undefined) return alone(repo, path, await addTree(repo, path, at));
    mkdirSync(path, { recursive: true });
  }
  const admin = gitDir ?? (await replaceAdmin(repo, path, at, known !== undefined, note));
  tie(path, admin, note);
  const head = readText(join(admin, "HEAD")) ?? "";
  if (!HEAD.test(head)) replaceFile(join(admin, "HEAD"), `${at}\n`);
  return alone(repo, path, admin);
}

/** Takes away git folders that were made for the same path by somebody who was ended meanwhile. */
function alone(repo: Repo, path: string, admin: string): string {
  const all = join(repo.commonDir, "worktrees");
  for (const name of readdirSync(all)) {
    const other = join(all, name);
    if (other !== admin && leadsTo(other, path)) removeAdmin(repo, other);
  }
  makeRoomForSlotFiles(repo);
  return admin;
}

/** Takes away the git folder of a worktree, and what Seam keeps of it. */
export function removeAdmin(repo: Repo, admin: string): void {
  rmSync(admin, { recursive: true, force: true });
  removeSlotFiles(seenFrom(repo, admin, ""));
}

/** A git folder of a worktree of this repository, as far as git needs it. */
export function isAdmin(repo: Repo, gitDir: string): boolean {
  const common = readText(join(gitDir, "commondir"))?.trim();
  if (common === undefined || resolve(gitDir, common) !== repo.commonDir) return false;
  return existsSync(join(gitDir, "HEAD")) && existsSync(join(gitDir, "gitdir"));
}

/** The agent may have moved the folder: what is at the path counts, if git knew it there. */
function leadsTo(gitDir: string, path: string): boolean {
  return readText(join(gitDir, "gitdir"))?.trim() === join(path, ".git");
}

async function addTree(repo: Repo, path: string, at: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  const args = ["worktree", "add", "--quiet", "--detach", "--no-checkout"];
  const settings = await ownFilters(repo);
  // Twice: also where git still knows of one at the path that it was told to keep.
  const lock = ["--force", "--force", "--lock", "--reason", REASON];
  await git([...atRepo(repo), ...args, ...lock, path, at], { cwd: repo.gitDir, settings });
  const admin = adminNamedIn(path);
  if (admin !== undefined) {
    // There may have been another worktree of that name.
    removeSlotFiles(seenFrom(repo, admin, path));
    return admin;
  }
  throw new SeamError("SEAM_CREW_SLOT", { path, detail: "git made no worktree of it" });
}

/** The folder has files, and git has forgotten it: a new git folder is made, and tied to it. */
async function replaceAdmin(
  repo: Repo,
  path: string,
  at: string,
  isLoss: boolean,
  note: (text: string) => void,
): Promise<string> {
  if (isLoss) note(`git had forgotten the worktree ${path}.`);
  const beside = `${path}.new`;
  rmSync(beside, { recursive: true, force: true });
  const admin = await addTree(repo, beside, at);
  writeFileSync(join(admin, "gitdir"), `${join(path, ".git")}\n`);
  rmSync(beside, { recursive: true, force: true });
  return admin;
}

export function adminNamedIn(path: string): string | undefined {
  const named = /^gitdir: (.*)/.exec(readText(join(path, ".git")) ?? "")?.[1];
  return named === undefined ? undefined : resolve(path, named);
}

/** Makes folder and git folder name each other. */
function tie(path: string, admin: string, note: (text: string) => void): void {
  const dotGit = join(path, ".git");
  if (adminNamedIn(path) === admin) return;
  const isPointer = adminNamedIn(path) !== undefined;
  if (!isPointer && moveAside(dotGit, note)) {
    note(`${dotGit} did not lead to the repository any more.`);
  }
  replaceFile(dotGit, `gitdir: ${admin}\n`, { mode: 0o644 });
}

/** Out of the way, beside the workspace. False if there is nothing. */
function moveAside(path: string, note: (text: string) => void): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  const inTree = basename(path) === ".git";
  const slot = inTree ? dirname(path) : path;
  for (let n = 1; ; n++) {
    const aside = `${slot}.aside-${n}${inTree ? "-git" : ""}`;
    if (lstatSync(aside, { throwIfNoEntry: false }) !== undefined) continue;
    renameSync(path, aside);
    note(`What was at ${path} is kept at ${aside}.`);
    return true;
  }
}

function isPlainFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether there is anything in a worktree: an agent may have deleted it from the inside. */
export function holdsFiles(path: string): boolean {
  return isPlainFolder(path) && readdirSync(path).some((name) => name !== ".git");
}

/** Takes away locks that were left. Only while nobody works in the worktree. */
export function clearLocks(tree: SlotTree): void {
  removeFrom(tree.repo.gitDir, LOCK);
  rmSync(`${ownIndexOf(tree)}.lock`, { force: true });
}

/** Takes away what is left of a merge, a rebase or the like. */
export function clearHalfDone(gitDir: string): void {
  removeFrom(gitDir, HALF_DONE);
}

function removeFrom(gitDir: string, pattern: RegExp): void {
  for (const name of readdirSync(gitDir).filter((name) => pattern.test(name))) {
    rmSync(join(gitDir, name), { recursive: true, force: true });
  }
}
