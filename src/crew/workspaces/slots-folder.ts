import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Repo } from "../../git/index.ts";

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
