import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Repo } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";

const markerOf = (repo: Repo) => join(seamDirOf(repo), "sync-on-push");

/**
 * Lets checkpoints go along with every push of the user's, or no longer. The file says how to call
 * Seam: git's hook does it in the user's own environment, with the user's own keys.
 */
export function setSyncOnPush(repo: Repo, program: readonly [string, string] | undefined): void {
  const marker = markerOf(repo);
  if (!program) {
    rmSync(marker, { force: true });
    return;
  }
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, `${program.join("\n")}\n`);
}
