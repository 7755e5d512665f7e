import { type Dirent, readdirSync } from "node:fs";
import { type RawPath, workPath } from "../../git/index.ts";

/**
 * Whether there is a folder with nothing in it in a worktree, which git does not speak of. What it
 * ignores is not looked into. A folder that cannot be read counts: nobody knows what is in it.
 */
export function hasEmptyFolder(path: string, ignored: readonly RawPath[]): boolean {
  const left = new Set<string>([".git", ...ignored.map((name) => name.replace(/\/$/, ""))]);
  const folders: string[] = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(path, folder);
    if (!entries || (entries.length === 0 && folder !== "")) return true;
    for (const entry of entries) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !left.has(name)) folders.push(name);
    }
  }
  return false;
}

function entriesOf(path: string, folder: string): Dirent[] | undefined {
  const at = folder === "" ? path : workPath(path, folder as RawPath);
  try {
    return readdirSync(at, { encoding: "latin1", withFileTypes: true });
  } catch {
    return undefined;
  }
}
