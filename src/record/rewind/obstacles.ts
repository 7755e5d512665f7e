import { lstatSync, readdirSync, type Stats } from "node:fs";
import { type RawPath, workPath } from "../../git/index.ts";
import type { LeftWhy, RewindChange } from "./plan.ts";

/**
 * Changes that cannot be made without losing something that no snapshot has: an ignored file where
 * one is to be written, a folder with such files, a file where a folder is needed.
 */
export function obstacles(
  workTree: string,
  changes: readonly RewindChange[],
): ReadonlyMap<RawPath, LeftWhy> {
  const found = new Map<RawPath, LeftWhy>();
  const goes = new Set(changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path));
  const at = (path: string) => statOf(workPath(workTree, path as RawPath));
  for (const { path, before, kind } of changes) {
    const way = wayTo(path, goes, at);
    const stats = way === "there" ? at(path) : undefined;
    // A sparse checkout leaves files out on purpose.
    if (before && !stats) found.set(path, "absent");
    else if (kind === "deleted") continue;
    else if (way === "blocked") found.set(path, "in the way");
    else if (!before && stats && !vanishes(workTree, path, stats, goes)) {
      found.set(path, "in the way");
    }
  }
  return found;
}

/** Whether the folders above a path are there, will be made, or are something else. */
export function wayTo(
  path: RawPath,
  goes: ReadonlySet<RawPath>,
  at: (path: string) => Stats | undefined,
): "there" | "new" | "blocked" {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const folder = path.slice(0, slash);
    const stats = at(folder);
    if (!stats) return "new";
    if (!stats.isDirectory()) return goes.has(folder as RawPath) ? "new" : "blocked";
    // What is in a repository of its own is not ours.
    if (at(`${folder}/.git`)) return "blocked";
  }
  return "there";
}

/** A folder in which nothing is left when all that goes is gone. */
function vanishes(
  workTree: string,
  path: RawPath,
  stats: Stats,
  goes: ReadonlySet<RawPath>,
): boolean {
  if (!stats.isDirectory()) return goes.has(path);
  return namesIn(workTree, path).every((name) => {
    const inner = `${path}/${name}` as RawPath;
    const about = statOf(workPath(workTree, inner));
    return !about || vanishes(workTree, inner, about, goes);
  });
}

function namesIn(workTree: string, path: RawPath): string[] {
  try {
    return readdirSync(workPath(workTree, path), { encoding: "buffer" }).map((name) =>
      name.toString("latin1"),
    );
  } catch {
    return [];
  }
}

export function statOf(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
