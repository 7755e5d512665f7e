import { writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";
import type { Repo } from "../repo/repo.ts";
import type { ObjectInfo, StoredObject } from "./batch-process.ts";
import { CatFile } from "./cat-file.ts";
import { type CommitFields, formatCommit } from "./commit-format.ts";
import type { Skipped } from "./file-content.ts";
import { LooseFiles, type Write } from "./loose-files.ts";
import { type ObjectType, objectHeader, objectIdOf } from "./object-id.ts";
import { COMPRESSION, storeBigFile } from "./store-big-file.ts";
import { type FileOptions, type StoredFile, storeFile } from "./store-file.ts";
import { TreeCache } from "./tree-cache.ts";
import { formatTree, type TreeEntry } from "./tree-format.ts";

export interface StoreOptions {
  /** Wait until every object is on the disk. git does not, by default. */
  readonly durable?: boolean;
  /** For tests. */
  readonly write?: Write;
}

/** Above this, compressing would hold up everything else for a noticeable time. */
const IN_PLACE = 128 * 1024;

/**
 * Reads and writes the objects of a repository. What is written is not protected until a reference
 * leads to it: use an `ObjectBatch`, which makes sure that all of it is there when one does.
 */
export class ObjectStore {
  readonly repo: Repo;
  readonly #reader: CatFile;
  readonly #loose: LooseFiles;
  readonly #trees = new TreeCache();

  constructor(repo: Repo, { durable = false, write = writeSync }: StoreOptions = {}) {
    this.repo = repo;
    this.#reader = new CatFile(repo);
    this.#loose = new LooseFiles(repo, durable, write);
  }

  info(name: string | Buffer): Promise<ObjectInfo | undefined> {
    return this.#reader.info(name);
  }

  async read(
    name: string | Buffer,
    options?: { readonly maxBytes?: number },
  ): Promise<StoredObject | undefined> {
    const known = typeof name === "string" ? this.#trees.get(name) : undefined;
    if (known) return known;
    const object = await this.#reader.read(name, options);
    if (object?.type === "tree") this.#trees.set(object);
    return object;
  }

  /** Whether an object is there, in whatever form. Never asks a server for it. */
  async has(id: string): Promise<boolean> {
    return this.#loose.has(id) || (await this.#reader.info(id)) !== undefined;
  }

  /**
   * Stores an object unless it is there. Only for blobs, which may be big, that includes packs: trees
   * and commits are small and mostly new, and a copy too many vanishes with the next `git gc`.
   */
  async write(type: ObjectType, content: Uint8Array): Promise<string> {
    const id = objectIdOf(this.repo.objectFormat, type, content);
    const isThere = type === "blob" ? await this.#keep(id) : this.#loose.freshen(id);
    if (!isThere) await this.#store(id, type, content);
    if (type === "tree")
      this.#trees.set({ id, type, size: content.byteLength, content: Buffer.from(content) });
    return id;
  }

  writeBlob(content: Uint8Array): Promise<string> {
    return this.write("blob", content);
  }

  /** In any order; see `editTree` for changing a tree that is there. */
  writeTree(entries: Iterable<TreeEntry>): Promise<string> {
    return this.write("tree", formatTree(entries));
  }

  writeCommit(fields: CommitFields): Promise<string> {
    return this.write("commit", formatCommit(fields));
  }

  /** See `storeFile`. */
  writeBlobFromFile(path: string | Buffer, options?: FileOptions): Promise<StoredFile | Skipped> {
    return storeFile(this, path, options);
  }

  /** A file too big to be read at once; undefined when it became shorter meanwhile. */
  writeBigFile(handle: FileHandle, size: number): Promise<string | undefined> {
    const isThere = (id: string) => this.#keep(id);
    return storeBigFile(this.#loose, this.repo.objectFormat, handle, size, isThere);
  }

  /** Ends the process that reads. */
  close(): Promise<void> {
    return this.#reader.close();
  }

  /** In a partial clone asking about an object can mean asking a server, so packs are not asked. */
  async #keep(id: string): Promise<boolean> {
    if (this.#loose.freshen(id)) return true;
    return !this.repo.isPartial && (await this.#reader.info(id)) !== undefined;
  }

  async #store(id: string, type: ObjectType, content: Uint8Array): Promise<void> {
    const whole = Buffer.concat([objectHeader(type, content.byteLength), content]);
    const deflated =
      whole.length > IN_PLACE
        ? await promisify(deflate)(whole, COMPRESSION)
        : deflateSync(whole, COMPRESSION);
    this.#loose.store(id, deflated);
  }
}
