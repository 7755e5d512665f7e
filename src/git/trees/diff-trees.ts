import { isFolderMode, type TreeEntry, type TreeValue } from "../objects/tree-format.ts";
import { joinPath, type RawPath } from "../paths/raw-path.ts";
import { entriesOf, type TreeSource } from "./read-tree.ts";

/** A file, link or submodule that differs; what is on one side only has one of the two. */
export interface TreeDifference {
  readonly path: RawPath;
  readonly before: TreeValue | undefined;
  readonly after: TreeValue | undefined;
}

/** Files that differ between two trees, by path. Reads only folders that differ. */
export async function diffTrees(
  source: TreeSource,
  before: string | undefined,
  after: string | undefined,
): Promise<TreeDifference[]> {
  const found: TreeDifference[] = [];
  await compare(source, before, after, "", found);
  return found.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

async function compare(
  source: TreeSource,
  before: string | undefined,
  after: string | undefined,
  folder: RawPath | "",
  found: TreeDifference[],
): Promise<void> {
  if (before === after) return;
  const [old, now] = await Promise.all([before, after].map((id) => byName(source, id)));
  const names = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  const folders: Promise<void>[] = [];
  for (const name of names) {
    const [a, b] = [old?.get(name), now?.get(name)];
    if (a?.id === b?.id && a?.mode === b?.mode) continue;
    const path = joinPath(folder, name);
    const [file, sub] = [fileOf(a), folderOf(a)];
    const [nextFile, nextSub] = [fileOf(b), folderOf(b)];
    if (file || nextFile) found.push({ path, before: file, after: nextFile });
    if (sub !== nextSub) folders.push(compare(source, sub, nextSub, path, found));
  }
  await Promise.all(folders);
}

async function byName(source: TreeSource, id: string | undefined) {
  const entries = id === undefined ? [] : await entriesOf(source, id);
  return new Map<RawPath, TreeEntry>(entries.map((entry) => [entry.name, entry]));
}

function fileOf(entry: TreeEntry | undefined): TreeValue | undefined {
  return entry && !isFolderMode(entry.mode) ? { mode: entry.mode, id: entry.id } : undefined;
}

function folderOf(entry: TreeEntry | undefined): string | undefined {
  return entry && isFolderMode(entry.mode) ? entry.id : undefined;
}
