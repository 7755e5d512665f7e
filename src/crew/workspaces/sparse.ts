import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceFile } from "../../files/index.ts";
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
  const wanted = folders.map((folder) => folder.replace(/^\/+|\/+$/g, "")).filter(Boolean);
  const parents = new Set(wanted.flatMap(above));
  const lines = ["/*", "!/*/"];
  for (const parent of [...parents].sort()) lines.push(`/${parent}/`, `!/${parent}/*/`);
  for (const folder of [...new Set(wanted)].sort()) lines.push(`/${folder}/`);
  return `${lines.join("\n")}\n`;
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
