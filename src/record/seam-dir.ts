import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Repo } from "../git/index.ts";

/** Seam's folder in a repository. It can be deleted without losing a checkpoint. */
export function seamDirOf(repo: Repo): string {
  return join(repo.commonDir, "seam");
}

const enabledFile = (repo: Repo) => join(seamDirOf(repo), "enabled");

/** Whether the user asked for this repository to be recorded. */
export function isEnabled(repo: Repo): boolean {
  return existsSync(enabledFile(repo));
}

export function enableRecord(repo: Repo): void {
  mkdirSync(seamDirOf(repo), { recursive: true });
  writeFileSync(enabledFile(repo), `${new Date().toISOString()}\n`);
}

/** What was recorded stays. */
export function disableRecord(repo: Repo): void {
  rmSync(enabledFile(repo), { force: true });
}
