import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../../errors/index.ts";
import { objectsDir, type Repo } from "../repo/repo.ts";
import { isAbsent } from "../run/is-absent.ts";
import { writeError } from "../run/write-error.ts";
import { looseHas, loosePath } from "./loose-path.ts";

/** The one step that a full disk shows in: tests put their own in its place. */
export type Write = (fd: number, bytes: Uint8Array) => number;

/** Adds pieces to the file of an object. */
export type Sink = (piece: Uint8Array) => void;

/** `git gc` may remove the unfinished file, or its folder while that is empty, so often in a row. */
const MOST_TRIES = 10;

/** Objects that have a file of their own. */
export class LooseFiles {
  readonly #repo: Repo;
  readonly #durable: boolean;
  readonly #write: Write;
  #folderMode: number | undefined;

  constructor(repo: Repo, durable: boolean, write: Write = writeSync) {
    this.#repo = repo;
    this.#durable = durable;
    this.#write = write;
  }

  has(id: string): boolean {
    return looseHas(this.#repo, id);
  }

  /** Makes an object as young as a new one, so that `git gc` keeps it for a while. */
  freshen(id: string): boolean {
    if (!this.has(id)) return false;
    const now = new Date();
    try {
      utimesSync(loosePath(this.#repo, id), now, now);
    } catch (error) {
      if (isAbsent(error)) return false;
      // It belongs to somebody else, who shares the repository: it is there all the same.
    }
    return true;
  }

  /** Stores compressed bytes whose id is known. */
  store(id: string, deflated: Uint8Array): void {
    for (let tries = 1; ; tries++) {
      const temporary = this.#create();
      try {
        temporary.sink(deflated);
        this.#adopt(temporary, id);
        return;
      } catch (error) {
        const said = this.#discard(temporary, error);
        if (!isAbsent(error) || tries === MOST_TRIES) throw said;
      }
    }
  }

  /** Stores what `fill` writes; it says which object that is, or undefined to throw it away. */
  async storeStream(
    fill: (sink: Sink) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    for (let tries = 1; ; tries++) {
      const temporary = this.#create();
      try {
        const id = await fill(temporary.sink);
        if (id === undefined) this.#discard(temporary, undefined);
        else this.#adopt(temporary, id);
        return id;
      } catch (error) {
        const said = this.#discard(temporary, error);
        if (!isAbsent(error) || tries === MOST_TRIES) throw said;
      }
    }
  }

  /** Under a name that `git gc` knows as left over, should this process be killed. */
  #create() {
    const path = join(objectsDir(this.#repo), `tmp_obj_${randomBytes(9).toString("hex")}`);
    try {
      const fd = openSync(path, "wx", 0o444);
      const sink: Sink = (piece) => {
        for (let at = 0; at < piece.length; ) at += this.#write(fd, piece.subarray(at));
      };
      return { path, fd, sink };
    } catch (error) {
      throw writeError(path, error);
    }
  }

  #adopt({ path, fd }: { path: string; fd: number }, id: string): void {
    const target = loosePath(this.#repo, id);
    if (this.#durable) fsyncSync(fd);
    this.#makeFolder(dirname(target));
    const rights = this.#rights() & 0o444;
    if (this.#repo.isShared || rights !== (0o444 & ~process.umask())) chmodSync(path, rights);
    renameSync(path, target);
    closeSync(fd);
  }

  #makeFolder(folder: string): void {
    try {
      mkdirSync(folder);
      chmodSync(folder, this.#rights());
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
  }

  /**
   * Those of the folder of all objects, which git made: this process may have another umask, and
   * whoever reads the repository has to be able to read everything in it.
   */
  #rights(): number {
    this.#folderMode ??= statSync(objectsDir(this.#repo)).mode & 0o7777;
    return this.#folderMode;
  }

  #discard({ path, fd }: { path: string; fd: number }, error: unknown): Error {
    closeSync(fd);
    rmSync(path, { force: true });
    return writeError(objectsDir(this.#repo), error);
  }
}
