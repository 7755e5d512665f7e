import type { StoredObject } from "./batch-process.ts";

/** The cache's size in bytes of content: some hundred thousand entries. */
const CAPACITY = 8 * 1024 * 1024;

/**
 * Trees that were read or written lately: one snapshot builds on the trees of the one before, and
 * asking git for them would take most of its time. An object never changes, so nothing gets stale.
 */
export class TreeCache {
  readonly #trees = new Map<string, StoredObject>();
  #size = 0;

  get(id: string): StoredObject | undefined {
    const tree = this.#trees.get(id);
    if (tree) this.#moveToEnd(id, tree);
    return tree;
  }

  set(tree: StoredObject): void {
    if (this.#trees.has(tree.id)) return;
    // A copy, because what was read is a slice of a bigger buffer.
    this.#trees.set(tree.id, { ...tree, content: Buffer.from(tree.content) });
    this.#size += tree.size;
    for (const [id, { size }] of this.#trees) {
      if (this.#size <= CAPACITY) break;
      this.#trees.delete(id);
      this.#size -= size;
    }
  }

  #moveToEnd(id: string, tree: StoredObject): void {
    this.#trees.delete(id);
    this.#trees.set(id, tree);
  }
}
