import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SeamError } from "../../errors/index.ts";
import { type RefUpdate, type Repo, updateRef } from "../../git/index.ts";

/** Nobody holds one of Seam's references for longer than a moment. */
const STALE_MS = 5_000;

/**
 * Moves a reference of Seam's own, see `updateRef`. A git that was killed while it moved one leaves
 * a lock that would stay for ever: it is taken away once it is old enough.
 */
export async function moveRef(
  repo: Repo,
  ref: string,
  to: string | null,
  from: string | null | undefined,
  message: string,
): Promise<RefUpdate> {
  const lock = join(repo.commonDir, `${ref}.lock`);
  const move = () => updateRef(repo, ref, to, from, { message });
  removeIfStale(lock);
  try {
    return await move();
  } catch (error) {
    if (!(error instanceof SeamError) || error.code !== "SEAM_GIT_LOCK") throw error;
    await pause(Math.max(0, STALE_MS - ageOf(lock)));
    removeIfStale(lock);
    return move();
  }
}

function removeIfStale(lock: string): void {
  if (ageOf(lock) >= STALE_MS) rmSync(lock, { force: true });
}

/** 0 if it is not there. */
function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? Date.now() - stats.mtimeMs : 0;
}
