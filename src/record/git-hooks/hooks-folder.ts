import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { leadsOutside } from "../../files/index.ts";
import { atRepo, ignoredPaths, type Repo, rawPath, runGit } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";

/** Where git looks for the hooks of a repository, and how Seam can be there. */
export type HooksFolder =
  /** Scripts are put beside, and before, what is there. */
  | { readonly kind: "beside"; readonly path: string }
  /**
   * The folder is in version control, or elsewhere, where it may serve other repositories or
   * something quite different: nothing is written there.
   * Seam's folder takes its place and passes everything on.
   */
  | {
      readonly kind: "instead";
      readonly path: string;
      readonly before: string;
      /** git looks into Seam's folder now. */
      readonly active: boolean;
      /** Set for this work tree alone, in its own settings. */
      readonly alone: boolean;
    };

/** Where the setting that Seam replaced is kept. */
export const BEFORE_KEY = "seam.hooksPathBefore";

export async function hooksFolder(repo: Repo): Promise<HooksFolder> {
  const configured = await configOf(repo, "core.hooksPath");
  const alone = configured !== undefined && (await isSetForWorkTree(repo));
  const own = ownHooksFolder(repo, alone);
  if (configured === undefined) {
    const usual = join(repo.commonDir, "hooks");
    const isElsewhere = leadsOutside(usual, repo.workTree ?? repo.commonDir) !== undefined;
    if (!isElsewhere || leadsOutside(usual, repo.commonDir) === undefined) {
      return { kind: "beside", path: usual };
    }
    return { kind: "instead", path: own, before: usual, active: false, alone };
  }
  if (resolve(configured) === own) {
    const before = await configOf(repo, BEFORE_KEY);
    const fallback = join(repo.commonDir, "hooks");
    return { kind: "instead", path: own, before: before ?? fallback, active: true, alone };
  }
  const top = repo.workTree ?? repo.gitDir;
  const path = resolve(top, configured);
  if (isInside(path, repo.commonDir) || (await isIgnored(repo, path))) {
    return { kind: "beside", path };
  }
  return { kind: "instead", path: own, before: configured, active: false, alone };
}

/** What a work tree passes on is its own affair, if its settings say where its hooks are. */
export function ownHooksFolder(repo: Repo, alone: boolean): string {
  return alone ? join(repo.gitDir, "seam", "hooks") : join(seamDirOf(repo), "hooks");
}

/** The settings of one work tree, which go before those of the repository. */
export const workTreeConfig = (repo: Repo) => join(repo.gitDir, "config.worktree");

async function isSetForWorkTree(repo: Repo): Promise<boolean> {
  const file = workTreeConfig(repo);
  if (!existsSync(file)) return false;
  const args = ["config", "--file", file, "--get", "core.hooksPath"];
  const { stdout, code } = await runGit(args, { cwd: repo.gitDir });
  const isSet = code === 0 && stdout.length > 0;
  // Without the extension git does not read it.
  return isSet && (await configOf(repo, "extensions.worktreeConfig")) !== undefined;
}

/** With `~` spelled out. */
export async function configOf(repo: Repo, key: string): Promise<string | undefined> {
  const args = [...atRepo(repo), "config", "--type=path", "--get", key];
  const { stdout, code } = await runGit(args, { cwd: repo.workTree ?? repo.gitDir });
  return code === 0 ? stdout.toString().replace(/\n$/, "") : undefined;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

async function isIgnored(repo: Repo, path: string): Promise<boolean> {
  if (repo.workTree === undefined || !isInside(path, repo.workTree)) return false;
  const inside = rawPath(relative(repo.workTree, join(path, "post-commit")));
  return (await ignoredPaths(repo, [inside])).size > 0;
}
