import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isInside, leadsOutside } from "../../files/index.ts";
import { atRepo, ignoredPaths, type Repo, rawPath, runGit } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";

/** Where git looks for the hooks of a repository, and how Seam can put its own there. */
export type HooksFolder =
  /** Seam's scripts are put into the folder, and run the user's hooks first. */
  | { readonly kind: "beside"; readonly path: string }
  /**
   * The folder is in version control, or elsewhere, where it may serve other repositories or
   * something quite different: nothing is written there.
   * Git looks into Seam's folder first, which passes everything on.
   */
  | {
      readonly kind: "instead";
      readonly path: string;
      /** Git looks into Seam's folder now. */
      readonly active: boolean;
      /** The user's folder is set for this work tree alone, in its own settings. */
      readonly alone: boolean;
    };

/**
 * The file in Seam's folder that names this folder to git. The repository's settings include it, so
 * that what the user set stays where it is and holds again as soon as this file is gone.
 */
export const INCLUDED = "agentseam.config";

export async function hooksFolder(repo: Repo): Promise<HooksFolder> {
  const values = await hooksPaths(repo);
  const configured = values.filter((path) => !isSeams(repo, path)).at(-1);
  const alone = configured !== undefined && (await isSetForWorkTree(repo));
  const own = ownHooksFolder(repo, alone);
  const active = values.at(-1) === own && existsSync(join(own, INCLUDED));
  const instead = { kind: "instead", path: own, active, alone } as const;
  if (configured === undefined) {
    const usual = usualHooksFolder(repo);
    return usual === undefined ? instead : { kind: "beside", path: usual };
  }
  const path = resolve(repo.workTree ?? repo.gitDir, configured);
  if (isInside(path, repo.commonDir) || (await isIgnored(repo, path))) {
    return { kind: "beside", path };
  }
  return instead;
}

/** Git's own place for hooks; undefined if a link leads from it to somewhere else. */
export function usualHooksFolder(repo: Repo): string | undefined {
  const usual = join(repo.commonDir, "hooks");
  const isHere =
    leadsOutside(usual, repo.workTree ?? repo.commonDir) === undefined ||
    leadsOutside(usual, repo.commonDir) === undefined;
  return isHere ? usual : undefined;
}

/**
 * Seam's own hooks folder. A work tree whose own settings name a hooks folder has one of its own.
 */
export function ownHooksFolder(repo: Repo, alone: boolean): string {
  return alone ? join(repo.gitDir, "seam", "hooks") : join(seamDirOf(repo), "hooks");
}

/** The settings of one work tree, which go before those of the repository. */
export const workTreeConfig = (repo: Repo) => join(repo.gitDir, "config.worktree");

/** Every value git finds, with `~` spelled out; the last one holds. */
async function hooksPaths(repo: Repo): Promise<string[]> {
  const args = [...atRepo(repo), "config", "--type=path", "-z", "--get-all", "core.hooksPath"];
  const { stdout } = await runGit(args, { cwd: repo.workTree ?? repo.gitDir });
  return stdout.toString().split("\0").slice(0, -1);
}

/**
 * Whether a path is a folder of Seam's, even if it is gone and only Seam's settings still name it.
 */
function isSeams(repo: Repo, path: string): boolean {
  const own = [ownHooksFolder(repo, false), ownHooksFolder(repo, true)];
  return own.includes(path) || existsSync(join(path, INCLUDED));
}

async function isSetForWorkTree(repo: Repo): Promise<boolean> {
  const file = workTreeConfig(repo);
  if (!existsSync(file)) return false;
  const args = ["config", "--file", file, "--get", "core.hooksPath"];
  const { stdout, code } = await runGit(args, { cwd: repo.gitDir });
  const isSet = code === 0 && stdout.length > 0;
  // Without this extension git does not read the file.
  return isSet && (await configOf(repo, "extensions.worktreeConfig")) !== undefined;
}

/** With `~` spelled out. */
export async function configOf(repo: Repo, key: string): Promise<string | undefined> {
  const args = [...atRepo(repo), "config", "--type=path", "--get", key];
  const { stdout, code } = await runGit(args, { cwd: repo.workTree ?? repo.gitDir });
  return code === 0 ? stdout.toString().replace(/\n$/, "") : undefined;
}

async function isIgnored(repo: Repo, path: string): Promise<boolean> {
  if (repo.workTree === undefined || !isInside(path, repo.workTree)) return false;
  const inside = rawPath(relative(repo.workTree, join(path, "post-commit")));
  return (await ignoredPaths(repo, [inside])).size > 0;
}
