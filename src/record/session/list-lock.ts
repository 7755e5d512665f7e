import { rmSync } from "node:fs";
import { createFile, isRunning, pause, pidIn, readText, removeStale } from "../../files/index.ts";

const STEP_MS = 2;
/** Whoever has it needs a moment; after this it is done without. */
const MOST_STEPS = 500;

/**
 * Does something while no other process does it. Several daemons may write to one repository: each
 * has its own home, and a user may have several.
 */
export function locked<T>(path: string, work: () => T): T {
  const isOurs = take(path);
  try {
    return work();
  } finally {
    if (isOurs) rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    for (let step = 0; step < MOST_STEPS; step++) {
      if (createFile(path, `${process.pid}\n`)) return true;
      const found = readText(path);
      if (found !== undefined && isLeft(found)) removeStale(path, found, MOST_STEPS * STEP_MS);
      else pause(STEP_MS);
    }
  } catch {
    // A disk on which nothing can be written: the work itself will say so.
  }
  return false;
}

/** By a process that is gone; or by this one, which never waits for itself. */
function isLeft(text: string): boolean {
  const pid = pidIn(text);
  return pid === process.pid || !isRunning(pid);
}
