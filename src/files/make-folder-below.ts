import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../errors/index.ts";
import { isBelow } from "./is-inside.ts";

/**
 * Makes a folder, and those on the way to it from `top`, which has to be there. A project that was
 * moved or deleted while Seam still worked on it must not come back as an empty shell, so what leads
 * to `top` is never made. Node's own way of making several at once would do that, and it calls a
 * read-only disk a missing folder.
 */
export function makeFolderBelow(
  top: string,
  folder: string,
  make: (path: string) => void = mkdirSync,
): void {
  try {
    make(folder);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" && isBelow(dirname(folder), top)) {
      makeFolderBelow(top, dirname(folder), make);
      makeFolderBelow(dirname(folder), folder, make);
    } else if (code !== "EEXIST" || !isFolder(folder)) throw error;
  }
}

/** Making a folder says EEXIST too when a file is in its place. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
