import { copyFileSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathBytes, pathFromShown } from "../../git/index.ts";

/**
 * Copies files that are not saved in git out of a workspace before it is cleaned for the next task.
 * Returns where they are; undefined if there are none.
 */
export function keepAside(
  path: string,
  files: readonly string[],
  folder: string,
): string | undefined {
  if (files.length === 0) return undefined;
  for (const shown of files) {
    const name = pathBytes(pathFromShown(shown)).toString();
    if (!lstatSync(join(path, name), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    copyFileSync(join(path, name), join(folder, name));
  }
  return folder;
}
