import type { FileHandle } from "node:fs/promises";
import { SeamError } from "../errors/index.ts";
import { breather } from "../files/index.ts";
import { type CommitFields, formatCommit } from "./objects/commit-format.ts";
import { isSkipped, type Skipped } from "./objects/file-content.ts";
import type { ObjectType } from "./objects/object-id.ts";
import type { ObjectStore } from "./objects/object-store.ts";
import { pinObjects, releasePins } from "./objects/pin.ts";
import { type FileOptions, type StoredFile, storeFile } from "./objects/store-file.ts";
import { formatTree, type TreeEntry } from "./objects/tree-format.ts";
import { type RefUpdate, type UpdateOptions, updateRef } from "./refs/update-ref.ts";
import { isCollecting } from "./repo/is-collecting.ts";
import type { Repo } from "./repo/repo.ts";

/** Writes an object again. False when that is not possible. */
type Restore = () => Promise<boolean>;

/** How many bytes are kept in memory to write them again; files can also be read again. */
const REMEMBERED = 64 * 1024 * 1024;

/** So many objects are asked for together. */
const AT_ONCE = 200;

/** So often `git gc` may be faster in a row; then the look afterwards has to do. */
const PIN_TRIES = 5;

/**
 * Objects that become reachable together. Until a reference leads to them `git gc --prune=now` may
 * throw them away between any two steps, and even those that were there before. So a batch knows
 * everything it wrote or relied on, looks whether all is there before the reference is moved, and
 * once more after, because a `gc` that began earlier may still be deleting. What is gone is written
 * again; if it cannot be, the reference is moved back.
 *
 * What remains: a `gc` that listed the reachable objects before the reference moved, and deletes
 * after the second look. While one runs, everything is copied to where it deletes nothing before
 * the reference is moved. Call `ensure` again, and `releasePins`, when it has ended.
 */
export class ObjectBatch {
  readonly store: ObjectStore;
  readonly #needed = new Map<string, Restore | undefined>();
  #remembered = 0;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  get repo(): Repo {
    return this.store.repo;
  }

  read(id: string) {
    return this.store.read(id);
  }

  /** Names an object that must be there although this batch did not write it itself. */
  needs(id: string, restore?: Restore): void {
    // In a partial clone objects are missing on purpose.
    if (this.repo.isPartial && !restore) return;
    if (!this.#needed.get(id)) this.#needed.set(id, restore);
  }

  async write(type: ObjectType, content: Uint8Array): Promise<string> {
    const id = await this.store.write(type, content);
    this.#remember(id, type, content);
    return id;
  }

  writeBlob(content: Uint8Array): Promise<string> {
    return this.write("blob", content);
  }

  writeTree(entries: Iterable<TreeEntry>): Promise<string> {
    return this.write("tree", formatTree(entries));
  }

  writeCommit(fields: CommitFields): Promise<string> {
    for (const parent of fields.parents) this.needs(parent);
    this.needs(fields.tree);
    return this.write("commit", formatCommit(fields));
  }

  /** See `storeFile`. */
  async writeBlobFromFile(
    path: string | Buffer,
    options?: FileOptions,
  ): Promise<StoredFile | Skipped> {
    const file = await storeFile(this, path, options);
    if (isSkipped(file)) return file;
    this.needs(file.id, async () => {
      const again = await this.store.writeBlobFromFile(path, options);
      return !isSkipped(again) && again.id === file.id;
    });
    return file;
  }

  writeBigFile(handle: FileHandle, size: number): Promise<string | undefined> {
    return this.store.writeBigFile(handle, size);
  }

  /** Writes again what has gone. Throws when something cannot be had back. */
  async ensure(): Promise<void> {
    const missing = await this.#missing();
    for (const id of missing) {
      if (!(await this.#needed.get(id)?.())) throw lost(id);
    }
  }

  /** Moves a reference to one of the objects; see `updateRef` for `expected`. */
  async publish(
    ref: string,
    id: string,
    expected: string | null | undefined,
    options?: UpdateOptions,
  ): Promise<RefUpdate> {
    const wasCollecting = isCollecting(this.repo);
    await this.ensure();
    if (wasCollecting || isCollecting(this.repo)) await this.#pin();
    else releasePins(this.repo);
    const update = await updateRef(this.repo, ref, id, expected, options);
    if (!update.ok) return update;
    try {
      await this.ensure();
    } catch (error) {
      await updateRef(this.repo, ref, update.before ?? null, id, options);
      throw error;
    }
    return update;
  }

  /** What is gone meanwhile is written again first. */
  async #pin(): Promise<void> {
    for (let tries = 1; !(await pinObjects(this.repo, [...this.#needed.keys()])); tries++) {
      if (tries === PIN_TRIES) return;
      await this.ensure();
    }
  }

  #remember(id: string, type: ObjectType, content: Uint8Array): void {
    if (this.#needed.get(id)) return;
    this.#remembered += content.byteLength;
    const isTooMuch = this.#remembered > REMEMBERED;
    const restore = async () => (await this.store.write(type, content)) === id;
    this.#needed.set(id, isTooMuch ? undefined : restore);
  }

  async #missing(): Promise<string[]> {
    const ids = [...this.#needed.keys()];
    const breathe = breather();
    const missing: string[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await breathe();
      const some = ids.slice(at, at + AT_ONCE);
      const there = await Promise.all(some.map((id) => this.store.has(id)));
      missing.push(...some.filter((_, index) => !there[index]));
    }
    return missing;
  }
}

function lost(id: string): SeamError {
  return new SeamError("SEAM_GIT_OBJECT", { id, detail: "it was removed while it was needed" });
}
