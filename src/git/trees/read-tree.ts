import { SeamError } from "../../errors/index.ts";
import type { StoredObject } from "../objects/batch-process.ts";
import { isFolderMode, parseTree, type TreeEntry, type TreeValue } from "../objects/tree-format.ts";
import { joinPath, pathParts, type RawPath } from "../paths/raw-path.ts";
import type { Repo } from "../repo/repo.ts";

/** Where trees are read from: an `ObjectStore` or an `ObjectBatch`. */
export interface TreeSource {
  readonly repo: Repo;
  read(id: string): Promise<StoredObject | undefined>;
}

/** The entries of one folder: of the tree itself, or below it. Undefined when there is none. */
export async function readTree(
  source: TreeSource,
  tree: string,
  path?: RawPath,
): Promise<TreeEntry[] | undefined> {
  if (path === undefined) return entriesOf(source, tree);
  const value = await treeValueAt(source, tree, path);
  return value && isFolderMode(value.mode) ? entriesOf(source, value.id) : undefined;
}

/** What is at a path below a tree. Reads only the folders on the way. */
export async function treeValueAt(
  source: TreeSource,
  tree: string,
  path: RawPath,
): Promise<TreeValue | undefined> {
  let value: TreeValue = { mode: "40000", id: tree };
  for (const part of pathParts(path)) {
    if (!isFolderMode(value.mode)) return undefined;
    const found: TreeEntry | undefined = (await entriesOf(source, value.id)).find(
      ({ name }) => name === part,
    );
    if (!found) return undefined;
    value = found;
  }
  return { mode: value.mode, id: value.id };
}

/** Throws when the tree is not there. */
export async function entriesOf(source: TreeSource, id: string): Promise<TreeEntry[]> {
  const object = await source.read(id);
  if (object?.type !== "tree") {
    const detail = object ? `it is a ${object.type}, not a tree` : "it is missing";
    throw new SeamError("SEAM_GIT_OBJECT", { id, detail });
  }
  return parseTree(id, object.content, source.repo.objectFormat);
}

export interface TreeFile extends TreeValue {
  readonly path: RawPath;
}

/** How many folders are read ahead. */
const AHEAD = 64;

/** Every file, link and submodule below a tree, in git's order. */
export async function* walkTree(
  source: TreeSource,
  tree: string,
  { prefix }: { readonly prefix?: RawPath } = {},
): AsyncGenerator<TreeFile> {
  const entries = await readTree(source, tree, prefix);
  if (entries) yield* walk(source, entries, prefix ?? "");
}

async function* walk(
  source: TreeSource,
  entries: readonly TreeEntry[],
  folder: RawPath | "",
): AsyncGenerator<TreeFile> {
  const folders = entries.filter(({ mode }) => isFolderMode(mode));
  const started: Promise<TreeEntry[]>[] = [];
  let next = 0;
  for (const { name, mode, id } of entries) {
    const path = joinPath(folder, name);
    if (!isFolderMode(mode)) {
      yield { path, mode, id };
      continue;
    }
    while (started.length < AHEAD && next < folders.length) {
      const reading = entriesOf(source, folders[next++]?.id ?? "");
      // Somebody who stops walking never asks for it.
      reading.catch(() => {});
      started.push(reading);
    }
    yield* walk(source, (await started.shift()) ?? [], path);
  }
}
