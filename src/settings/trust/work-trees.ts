import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { readText } from "../../files/index.ts";

/** A work tree and the repository it belongs to, as both of them say. */
export interface WorkTree {
  readonly top: string;
  /** The folder of the repository: the same for all its work trees. */
  readonly repository: string;
}

/** The work trees around a folder, the innermost first, of repositories that have several. */
export function workTreesAround(folder: string): WorkTree[] {
  const above = dirname(folder);
  const further = above === folder ? [] : workTreesAround(above);
  const tree = provenAt(folder);
  return tree && existsSync(join(tree.repository, "worktrees")) ? [tree, ...further] : further;
}

/**
 * The folder of a work tree that stands for a project of another one of the same repository; undefined
 * if they have nothing to do with each other.
 */
export function counterpart(project: string, tree: WorkTree): string | undefined {
  const its = workTreeOf(project);
  if (its?.repository !== tree.repository || its.top === tree.top) return undefined;
  return join(tree.top, relative(its.top, project));
}

function workTreeOf(folder: string): WorkTree | undefined {
  if (isThere(join(folder, ".git"))) return provenAt(folder);
  const above = dirname(folder);
  return above === folder ? undefined : workTreeOf(above);
}

/**
 * The work tree with exactly this top. What only the folder says proves nothing: anybody can write a
 * `.git` that leads to the user's repository, but not what that repository says of its work trees.
 */
function provenAt(top: string): WorkTree | undefined {
  try {
    const dotGit = join(top, ".git");
    const stats = lstatSync(dotGit, { throwIfNoEntry: false });
    if (stats?.isFile()) return linked(top, dotGit);
    const isMain = stats?.isDirectory() && !existsSync(join(dotGit, "commondir"));
    return isMain ? { top, repository: realpathSync(dotGit) } : undefined;
  } catch {
    return undefined;
  }
}

/** Throws if a folder that is named on the way is not there. */
function linked(top: string, dotGit: string): WorkTree | undefined {
  const named = /^gitdir: (.+?)[\r\n]*$/s.exec(readText(dotGit) ?? "")?.[1];
  if (named === undefined) return undefined;
  const folder = realpathSync(resolve(top, named));
  const repository = dirname(dirname(folder));
  const common = readText(join(folder, "commondir"))?.trim();
  const back = readText(join(folder, "gitdir"))?.trim();
  if (basename(dirname(folder)) !== "worktrees" || !common || !back) return undefined;
  const isOfRepository = realpathSync(resolve(folder, common)) === repository;
  const leadsBack =
    basename(back) === ".git" && realpathSync(dirname(resolve(folder, back))) === realpathSync(top);
  return isOfRepository && leadsBack ? { top, repository } : undefined;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
