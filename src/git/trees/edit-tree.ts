import { SeamError } from "../../errors/index.ts";
import {
  FOLDER,
  GITLINK,
  isFolderMode,
  type TreeEntry,
  type TreeValue,
} from "../objects/tree-format.ts";
import { joinPath, pathParts, type RawPath } from "../paths/raw-path.ts";
import { shownPath } from "../paths/shown-path.ts";
import { isStorable } from "../paths/storable.ts";
import { entriesOf, type TreeSource } from "./read-tree.ts";

/** What a path is to be: an entry (also a whole folder, with mode `40000`), or null for nothing. */
export interface TreeChange {
  readonly path: RawPath;
  readonly entry: TreeValue | null;
}

export interface TreeTarget extends TreeSource {
  writeTree(entries: Iterable<TreeEntry>): Promise<string>;
  /** Is called with the tree that is built upon. */
  needs?(id: string): void;
}

/** What changes at one name: the entry itself, and what is below it. */
interface Node {
  entry: TreeValue | null | undefined;
  readonly below: Map<RawPath, Node>;
}

const MODES = new Set(["100644", "100755", "120000", FOLDER, GITLINK]);

/**
 * A tree that is another one with some paths changed. Reads and writes only the folders on the way
 * to them; folders that become empty vanish. The order of the changes does not matter, except that
 * the last one for a path counts: a path that becomes a file loses what was below it, one that is
 * set to null too, and changes below it come on top of that.
 */
export async function editTree(
  target: TreeTarget,
  base: string | undefined,
  changes: readonly TreeChange[],
): Promise<string> {
  const root = plan(changes);
  if (base !== undefined) target.needs?.(base);
  return (await edit(target, base, root, "")) ?? target.writeTree([]);
}

function plan(changes: readonly TreeChange[]): Node {
  const root: Node = { entry: undefined, below: new Map() };
  for (const { path, entry } of changes) {
    check(path, entry);
    let node = root;
    for (const part of pathParts(path)) {
      const next = node.below.get(part) ?? { entry: undefined, below: new Map() };
      node.below.set(part, next);
      node = next;
    }
    node.entry = entry;
  }
  return root;
}

function check(path: RawPath, entry: TreeValue | null): void {
  if (!isStorable(path, entry?.mode)) throw badPath(path, "this path is not allowed");
  if (entry && !MODES.has(entry.mode)) throw badPath(path, `${entry.mode} is no kind of file`);
}

/** Undefined when nothing is left. */
async function edit(
  target: TreeTarget,
  base: string | undefined,
  { below }: Node,
  folder: RawPath | "",
): Promise<string | undefined> {
  const entries = new Map<RawPath, TreeEntry>();
  for (const entry of base === undefined ? [] : await entriesOf(target, base)) {
    entries.set(entry.name, entry);
  }
  const edited = await Promise.all(
    [...below].map(async ([name, node]) => {
      const value = await editedValue(target, entries.get(name), node, joinPath(folder, name));
      return [name, value] as const;
    }),
  );
  let isSame = base !== undefined;
  for (const [name, value] of edited) {
    const old = entries.get(name);
    isSame &&= old?.id === value?.id && old?.mode === value?.mode;
    if (value) entries.set(name, { name, mode: value.mode, id: value.id });
    else entries.delete(name);
  }
  if (entries.size === 0) return undefined;
  return isSame ? base : target.writeTree(entries.values());
}

async function editedValue(
  target: TreeTarget,
  old: TreeValue | undefined,
  node: Node,
  path: RawPath,
): Promise<TreeValue | undefined> {
  const value = node.entry === undefined ? old : (node.entry ?? undefined);
  if (node.below.size === 0) return value;
  if (value && isFolderMode(value.mode)) return asFolder(await edit(target, value.id, node, path));
  if (![...node.below.values()].some(setsSomething)) return value;
  if (node.entry) throw badPath(path, "it is to be a file, and a folder too");
  return asFolder(await edit(target, undefined, node, path));
}

/** Deleting something below a file leaves the file alone. */
function setsSomething({ entry, below }: Node): boolean {
  return Boolean(entry) || [...below.values()].some(setsSomething);
}

const asFolder = (id: string | undefined) => (id === undefined ? undefined : { mode: FOLDER, id });

function badPath(path: RawPath, detail: string): SeamError {
  return new SeamError("SEAM_GIT_NAME", { name: shownPath(path), detail });
}
