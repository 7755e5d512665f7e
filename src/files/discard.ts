import { rmSync } from "node:fs";

/** Removes what could not be finished. What went wrong first is what is to be said. */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // On a disk that cannot be written to any more it stays.
  }
}
