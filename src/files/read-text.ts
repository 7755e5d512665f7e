import { LARGE_FILE, readRegularText } from "./read-regular.ts";

/** The text of a file; undefined if it cannot be read, for whatever reason. */
export function readText(path: string): string | undefined {
  try {
    return readRegularText(path, LARGE_FILE);
  } catch {
    return undefined;
  }
}
