import { statSync } from "node:fs";

/** Milliseconds since a file was last written; 0 if it is not there. */
export function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? Date.now() - stats.mtimeMs : 0;
}
