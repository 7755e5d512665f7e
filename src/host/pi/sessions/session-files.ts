import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The session files of a folder, the one written to last first. None if there is no such folder. */
export function sessionFilesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .map(({ path }) => path);
}
