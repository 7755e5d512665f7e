import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type RawPath, rawPath } from "../paths/raw-path.ts";
import { insideCheck } from "./inside-check.ts";

/**
 * The files of this work tree that were written by a program that was told to write here. Links are
 * followed as it followed them. None: it is outside, or in another repository inside of this one.
 */
export function namedPaths(workTree: string, path: string): RawPath[] {
  const isOurs = insideCheck(workTree);
  const ours = (top: string, full: string): RawPath[] => {
    const inner = relative(top, full);
    if (inner === "" || inner === ".." || inner.startsWith("../")) return [];
    const raw = rawPath(inner);
    return isOurs(raw) ? [raw] : [];
  };
  const plain = ours(workTree, path);
  if (plain.length > 0 && !isLink(path)) return plain;
  // The link may have been replaced by a file, or the file it leads to been written.
  const top = realOf(workTree);
  return [...new Set([...plain, ...ours(top, inRealFolder(path)), ...ours(top, realOf(path))])];
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return false;
  }
}

function inRealFolder(path: string): string {
  return join(realOf(dirname(path)), basename(path));
}

/** The real path, also of what is not there any more: then its folder tells. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : inRealFolder(path);
  }
}
