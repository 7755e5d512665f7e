import { statSync } from "node:fs";
import { LARGE_FILE, readRegularText } from "./read-regular.ts";

/** Undefined if it cannot be read, for whatever reason. */
export function readText(path: string): string | undefined {
  try {
    return readRegularText(path, LARGE_FILE);
  } catch {
    return undefined;
  }
}

/** Milliseconds since it was last written; 0 if it is not there. */
export function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? Date.now() - stats.mtimeMs : 0;
}
