import { type FileLock, pause, tryLock } from "../../files/index.ts";

const STEP_MS = 2;
/** The holder needs it for a moment only; after this time the work is done without the lock. */
const MOST_STEPS = 500;

/**
 * Does something while no other process does it. Several daemons may write to one repository: each
 * has its own home, and a user may have several.
 */
export function locked<T>(path: string, work: () => T): T {
  const lock = take(path);
  try {
    return work();
  } finally {
    lock?.release();
  }
}

function take(path: string): FileLock | undefined {
  try {
    for (let step = 0; step < MOST_STEPS; step++) {
      const lock = tryLock(path);
      if (lock.isOurs) return lock;
      pause(STEP_MS);
    }
  } catch {
    // A disk on which nothing can be written: the work itself will say so.
  }
  return undefined;
}
