import { mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { runGit } from "../run/run-git.ts";
import { LockFile } from "./lock-file.ts";
import { readLooseRef, refFile, refHome } from "./loose-ref.ts";

/**
 * What keeps a reference from being moved by itself; undefined if nothing does. A symbolic one
 * leads to another, which would be moved in its place.
 */
export async function brokenRef(
  repo: Repo,
  name: string,
): Promise<"damaged" | "symbolic" | undefined> {
  if (repo.refFormat !== "files") {
    const { code } = await runGit([...atRepo(repo), "symbolic-ref", "--quiet", name], {
      cwd: repo.gitDir,
    });
    return code === 0 ? "symbolic" : undefined;
  }
  try {
    const value = readLooseRef(repo, name);
    return value && "target" in value ? "symbolic" : undefined;
  } catch (error) {
    if (error instanceof SeamError && error.code === "SEAM_GIT_REF") return "damaged";
    throw error;
  }
}

/** Takes a broken reference out of the way, to a file. What it leads to stays as it is. */
export async function setAsideRef(repo: Repo, name: string, to: string): Promise<void> {
  if (repo.refFormat !== "files") {
    await runGit([...atRepo(repo), "symbolic-ref", "--delete", name], { cwd: repo.gitDir });
    return;
  }
  const path = refFile(repo, name);
  const lock = await LockFile.take(path, refHome(repo, name));
  try {
    // Another process may have been faster.
    if ((await brokenRef(repo, name)) === undefined) return;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(path, to);
  } finally {
    lock.release(false);
  }
}
