import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { type RawPath, rawPath } from "../../git/index.ts";
import { ownIndexOf, type SlotTree, sparseSettings } from "./slot-git.ts";

/** Tells the worktree alone which folders it has: neither the shared configuration nor the user's is written. */
export function writeSparse(tree: SlotTree, before: readonly string[] | undefined): void {
  const { repo, sparse } = tree;
  const file = join(repo.gitDir, "info/sparse-checkout");
  if (sparse) {
    // An agent may have made a link of it, which leads elsewhere.
    if (!lstatSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
      rmSync(dirname(file), { force: true });
      mkdirSync(dirname(file));
    }
    replaceFile(file, conePatterns(sparse));
  } else rmSync(file, { force: true });
  // Which files are left out is written in the index: with another choice it has to be made anew.
  if (String(before) !== String(sparse)) rmSync(ownIndexOf(tree), { force: true });
}

/** The patterns of git's cone mode: files at the top, files in the folders on the way, and the folders. */
function conePatterns(folders: readonly string[]): string {
  const parents = new Set(folders.flatMap(above));
  const lines = ["/*", "!/*/"];
  for (const name of [...parents].sort().map(escaped)) lines.push(`/${name}/`, `!/${name}/*/`);
  for (const name of [...new Set(folders)].sort().map(escaped)) lines.push(`/${name}/`);
  return `${lines.join("\n")}\n`;
}

/** A folder may be called like a pattern: `[id]` is common where folders are routes. */
const escaped = (folder: string) => folder.replace(/[\\*?[]/g, "\\$&");

/** Those of some files that are in none of the folders, nor at the top, nor on the way to one. */
export function outsideOf(folders: readonly string[], paths: readonly RawPath[]): RawPath[] {
  const inside = folders.map((folder) => `${rawPath(folder)}/`);
  const onTheWay = new Set(["", ...folders.flatMap(above).map((name) => `${rawPath(name)}/`)]);
  return paths.filter((path) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    return !onTheWay.has(folder) && !inside.some((one) => path.startsWith(one));
  });
}

function above(folder: string): string[] {
  const parts = folder.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** The same choice for whoever works in the worktree, as settings of git in the environment. */
export function sparseEnvironment(
  sparse: readonly string[] | undefined,
  outer: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (!sparse) return {};
  const first = Number(outer.GIT_CONFIG_COUNT ?? 0) || 0;
  const settings = sparseSettings(sparse);
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + settings.length) };
}
