import { FOLDER, isFolderMode, type TreeEntry, type TreeValue } from "../objects/tree-format.ts";
import { pathParts, type RawPath } from "../paths/raw-path.ts";
import { entriesOf, type TreeSource } from "./read-tree.ts";

type Folder = ReadonlyMap<RawPath, TreeEntry>;

/**
 * Looks up many paths below trees. A folder is read and parsed once, however many of its files are
 * asked for: looking up all files of a folder one by one must not cost the square of their number.
 * Holds on to what it read, so it should live as long as one piece of work and not longer.
 */
export class TreeLookup {
  readonly #source: TreeSource;
  readonly #folders = new Map<string, Promise<Folder>>();

  constructor(source: TreeSource) {
    this.#source = source;
  }

  /** What is at a path below a tree; nothing is below no tree. */
  async at(tree: string | undefined, path: RawPath): Promise<TreeValue | undefined> {
    if (tree === undefined) return undefined;
    let value: TreeValue = { mode: FOLDER, id: tree };
    for (const part of pathParts(path)) {
      if (!isFolderMode(value.mode)) return undefined;
      const found: TreeEntry | undefined = (await this.#folder(value.id)).get(part);
      if (!found) return undefined;
      value = found;
    }
    return { mode: value.mode, id: value.id };
  }

  #folder(id: string): Promise<Folder> {
    let folder = this.#folders.get(id);
    if (!folder) {
      folder = this.#read(id);
      // What is missing now may be there when it is asked for again.
      folder.catch(() => this.#folders.delete(id));
      this.#folders.set(id, folder);
    }
    return folder;
  }

  async #read(id: string): Promise<Folder> {
    return new Map((await entriesOf(this.#source, id)).map((entry) => [entry.name, entry]));
  }
}
