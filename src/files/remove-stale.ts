import { rmSync } from "node:fs";
import { createFile } from "./create-file.ts";
import { ageOf } from "./file-age.ts";
import { readText } from "./read-text.ts";

/**
 * Removes a file whose owner is gone, if it still says what was found in it. Two processes may find
 * the same, and the slower one must not remove the new file of the faster: one at a time removes,
 * and looks again. `stepMs`: how long that takes at most; whoever needs longer was killed.
 */
export function removeStale(path: string, found: string, stepMs: number): void {
  const guard = `${path}.take`;
  if (!createFile(guard, `${process.pid}\n`)) {
    if (ageOf(guard) > stepMs) rmSync(guard, { force: true });
    return;
  }
  try {
    if (readText(path) === found) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}
