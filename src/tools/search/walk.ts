import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "../abort.ts";
import { IgnoreRules } from "./ignore-rules.ts";

interface WalkedEntry {
  /** From the folder the walk started in, with "/" between its parts. */
  path: string;
  kind: "file" | "folder" | "other";
}

/**
 * Everything below a folder that git would not ignore, in the order of the names, hidden entries
 * included. Links are listed and not followed; `.git` is left out.
 */
export async function* walk(
  root: string,
  signal: AbortSignal | undefined,
  skip: (path: string) => boolean = () => false,
): AsyncGenerator<WalkedEntry> {
  yield* walkFolder(root, "", await IgnoreRules.at(root));

  async function* walkFolder(
    folder: string,
    prefix: string,
    outer: IgnoreRules,
  ): AsyncGenerator<WalkedEntry> {
    throwIfAborted(signal);
    const entries = await entriesOf(folder);
    const names = entries.map(({ name }) => name);
    const rules = prefix === "" ? outer : await outer.enter(folder, names);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = prefix + entry.name;
      const isFolder = entry.isDirectory();
      const inFolder = join(folder, entry.name);
      if (entry.name === ".git" || rules.ignores(inFolder, isFolder) || skip(path)) continue;
      if (!isFolder) {
        yield { path, kind: entry.isFile() ? "file" : "other" };
        continue;
      }
      yield { path, kind: "folder" };
      yield* walkFolder(inFolder, `${path}/`, rules);
    }
  }
}

/** A folder that cannot be read, or is gone by now, is no reason to give up the others. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
