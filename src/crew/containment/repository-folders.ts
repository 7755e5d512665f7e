import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside, readText, realTarget } from "../../files/index.ts";

/** The folders of the repository that a workspace belongs to, as the system names them. */
export interface RepositoryFolders {
  /** The git folder of the workspace alone. */
  readonly own: string;
  /** The git folder that all worktrees share. */
  readonly common: string;
  /** The user's own checkouts: the main one, and worktrees that are none of the crew's. */
  readonly checkouts: readonly string[];
}

/** Undefined: the folder is no worktree of a repository. */
export function repositoryFolders(workspace: string): RepositoryFolders | undefined {
  const link = /^gitdir: (.+)$/m.exec(readText(join(workspace, ".git")) ?? "")?.[1];
  if (link === undefined) return undefined;
  const own = resolve(workspace, link.trim());
  const common = resolve(own, readText(join(own, "commondir"))?.trim() ?? ".");
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  const slots = dirname(realTarget(workspace));
  const linked = worktreesOf(common).filter((path) => !isInside(path, slots));
  return {
    own: realTarget(own),
    common: realTarget(common),
    checkouts: [...main, ...linked].map(realTarget),
  };
}

function worktreesOf(common: string): string[] {
  const all = join(common, "worktrees");
  try {
    return readdirSync(all).flatMap((name) => {
      const dotGit = readText(join(all, name, "gitdir"))?.trim();
      return dotGit ? [realTarget(dirname(dotGit))] : [];
    });
  } catch {
    // Nobody ever made a worktree.
    return [];
  }
}
