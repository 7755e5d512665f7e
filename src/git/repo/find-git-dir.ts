import { readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isFolder, readSmall, statOf } from "./small-file.ts";

/** Where a repository is, as far as files alone tell. */
export interface Found {
  readonly gitDir: string;
  /** The folder the `.git` is in; undefined when the search began inside the git folder itself. */
  readonly around: string | undefined;
}

/** "unusual": git has rules for this case that are better left to it. */
export type Search = Found | "none" | "unusual";

/**
 * Looks upwards from a folder for a repository, as git does, with one difference: a folder with the
 * files of a repository that is inside of a work tree, and not in its `.git`, is no repository. Such
 * a folder can be committed, and would take the place of the one it came with.
 */
export function findGitDir(cwd: string): Search {
  let dir: string;
  try {
    dir = realpathSync(cwd);
  } catch {
    return "none";
  }
  const device = statOf(dir)?.dev;
  let bare: Found | undefined;
  for (let first = true; ; first = false) {
    // git stops at the border of a file system, and where it was told to stop.
    if (!first && (statOf(dir)?.dev !== device || process.env.GIT_CEILING_DIRECTORIES)) {
      return bare ? unlessForeign(bare) : "unusual";
    }
    const found = repositoryAt(dir);
    if (found && found !== "unusual" && found.around === undefined) bare ??= found;
    else if (found === "unusual") return found;
    else if (found) return unlessForeign(bare && isInside(bare, found) ? bare : found);
    const parent = dirname(dir);
    if (parent === dir) return bare ? unlessForeign(bare) : "none";
    dir = parent;
  }
}

const unlessForeign = (found: Found): Search => (isForeign(found) ? "unusual" : found);

/** The git folders of submodules and linked work trees are in that of their main work tree. */
function isInside(one: Found, other: Found): boolean {
  return `${one.gitDir}/`.startsWith(`${other.gitDir}/`);
}

/** The repository of exactly this folder. */
export function repositoryAt(dir: string): Found | "unusual" | undefined {
  const dotGit = join(dir, ".git");
  const stats = statOf(dotGit);
  if (stats?.isDirectory() && isGitDir(dotGit)) {
    return { gitDir: realpathSync(dotGit), around: dir };
  }
  if (stats?.isFile()) {
    const target = /^gitdir: (.+?)[\r\n]*$/s.exec(readSmall(dotGit) ?? "")?.[1];
    if (target === undefined) return "unusual";
    const gitDir = resolve(dir, target);
    return isGitDir(gitDir) ? { gitDir: realpathSync(gitDir), around: dir } : "unusual";
  }
  return isGitDir(dir) ? { gitDir: dir, around: undefined } : undefined;
}

/** The folder that objects and refs are in: another one for a linked work tree. */
export function commonDirOf(gitDir: string): string {
  const text = readSmall(join(gitDir, "commondir"))?.trim();
  return text ? resolve(gitDir, text) : gitDir;
}

function isGitDir(dir: string): boolean {
  if (!isHead(join(dir, "HEAD"))) return false;
  const common = commonDirOf(dir);
  return isFolder(join(common, "objects")) && isFolder(join(common, "refs"));
}

function isHead(path: string): boolean {
  // Very old repositories have a symbolic link, which leads nowhere when the branch is packed.
  if (linkTarget(path)?.startsWith("refs/")) return true;
  return /^(ref:\s*refs\/|[0-9a-f]{40})/.test(readSmall(path) ?? "");
}

export function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Owned by somebody else: git decides by `safe.directory` whether to trust it. */
function isForeign({ gitDir, around }: Found): boolean {
  const me = process.geteuid?.();
  if (me === undefined) return false;
  const places = [gitDir, ...(around === undefined ? [] : [around, join(around, ".git")])];
  return places.some((place) => statOf(place)?.uid !== me);
}
