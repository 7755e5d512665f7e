import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../errors/index.ts";
import { leadsOutside } from "../files/index.ts";
import type { Repo } from "../git/index.ts";

/** Seam's folder in a repository. It can be deleted without losing a checkpoint. */
export function seamDirOf(repo: Repo): string {
  return join(repo.commonDir, "seam");
}

const enabledFile = (repo: Repo) => join(seamDirOf(repo), "enabled");

/** Whether the user asked for this repository to be recorded. Nothing is where a link leads away. */
export function isEnabled(repo: Repo): boolean {
  return (
    existsSync(enabledFile(repo)) && leadsOutside(seamDirOf(repo), repo.commonDir) === undefined
  );
}

export function enableRecord(repo: Repo): void {
  const path = seamDirOf(repo);
  const target = leadsOutside(path, repo.commonDir);
  if (target !== undefined) throw new SeamError("SEAM_LINK_OUTSIDE", { path, target });
  mkdirSync(seamDirOf(repo), { recursive: true });
  writeFileSync(enabledFile(repo), `${new Date().toISOString()}\n`);
}

/** What was recorded stays. */
export function disableRecord(repo: Repo): void {
  rmSync(enabledFile(repo), { force: true });
}
