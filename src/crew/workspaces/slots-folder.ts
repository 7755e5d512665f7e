import { createHash } from "node:crypto";
import { lstatSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Repo } from "../../git/index.ts";
import { adminNamedIn, isAdmin } from "./slot-tree.ts";

interface Where {
  readonly home: string;
  readonly folder?: string | undefined;
}

/**
 * The folder with the worktrees of a repository. Not in the repository, where watchers and package
 * managers would find them, nor in its git folder or in Seam's: Jest finds no tests below a `.git`,
 * Express serves no file whose path has a name with a dot, and agents may not write there.
 */
export function slotsFolder({ commonDir }: Repo, { home, folder }: Where): string {
  const beside = join(dirname(home), `${basename(home).replace(/^\.+/, "")}-workspaces`);
  const isDotGit = basename(commonDir) === ".git";
  const name = basename(isDotGit ? dirname(commonDir) : commonDir).replace(/[^\w-]+/g, "-");
  const key = createHash("sha256").update(commonDir).digest("hex").slice(0, 8);
  return join(folder ?? beside, `${name}-${key}`);
}

/**
 * Moves a folder out of the way that is where a new slot is to be: what is in it may be the work of
 * a task whose slot is not known any more, for instance because Seam's home was deleted. If it is a
 * worktree, it stays one. Always true: from now on the path is the slot's.
 */
export function moveFoundAside(repo: Repo, path: string, note: (text: string) => void): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return true;
  const admin = adminNamedIn(path);
  for (let n = 1; ; n++) {
    const aside = `${path}.found-${n}`;
    if (lstatSync(aside, { throwIfNoEntry: false }) !== undefined) continue;
    renameSync(path, aside);
    if (admin !== undefined && isAdmin(repo, admin)) {
      writeFileSync(join(admin, "gitdir"), `${join(aside, ".git")}\n`);
    }
    note(`There was a folder at ${path} that Seam did not know of: it is at ${aside} now.`);
    return true;
  }
}
