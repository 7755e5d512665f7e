import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SeamError, systemCode } from "../../errors/index.ts";
import { makeFolderBelow } from "../../files/index.ts";
import { writeError } from "../run/write-error.ts";

/** Others hold a reference for about a millisecond. */
const PATIENCE_MS = 1000;
const LONGEST_PAUSE_MS = 20;

/** A folder may be removed, being empty, right after it was made. */
const TRIES = 5;

/**
 * `<path>.lock` as git makes it: whoever creates the file may replace the one it stands for. It
 * does not name its owner, so one that stays is reported and never removed here.
 */
export class LockFile {
  readonly #path: string;
  readonly #lock: string;
  #fd: number | undefined;

  private constructor(path: string, lock: string, fd: number) {
    this.#path = path;
    this.#lock = lock;
    this.#fd = fd;
  }

  /** `home`: the folder of git's that the path is in. */
  static async take(path: string, home: string, patienceMs = PATIENCE_MS): Promise<LockFile> {
    const lock = `${path}.lock`;
    const deadline = Date.now() + patienceMs;
    for (let tries = 0, longest = 1; ; longest = Math.min(2 * longest, LONGEST_PAUSE_MS)) {
      try {
        makeFolderBelow(home, dirname(lock), makeLikeParent);
        return new LockFile(path, lock, create(lock));
      } catch (error) {
        const code = systemCode(error);
        if (code === "ENOENT" && ++tries < TRIES) continue;
        if (code !== "EEXIST" || !isAbout(error, lock)) throw writeError(lock, error);
        if (Date.now() > deadline) throw new SeamError("SEAM_GIT_LOCK", { path: lock });
      }
      await pause(1 + Math.random() * longest);
    }
  }

  /** Writes the new content; the old file is still in place. */
  write(text: string, durable: boolean): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      if (durable) fsyncSync(fd);
    } catch (error) {
      throw writeError(this.#lock, error);
    }
  }

  /** Puts the new content in place, which also gives the lock back. */
  commit(): void {
    this.#close();
    renameSync(this.#lock, this.#path);
  }

  /** Gives the lock back; does nothing after a commit. */
  release(committed: boolean): void {
    this.#close();
    if (!committed) rmSync(this.#lock, { force: true });
  }

  #close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** For all who may look into its folder: this process may have another umask than the user. */
function create(path: string): number {
  const fd = openSync(path, "wx", 0o666);
  const mode = modeOf(dirname(path)) & 0o666;
  if (mode !== (0o666 & ~process.umask())) fchmodSync(fd, mode);
  return fd;
}

/** Makes a folder that is open to the same people as the one it is in. */
export function makeLikeParent(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, modeOf(dirname(folder)));
}

export const modeOf = (folder: string) => statSync(folder).mode & 0o7777;

/** Making the folder says EEXIST too, when a file is in its place. */
function isAbout(error: unknown, path: string): boolean {
  return error instanceof Error && "path" in error && error.path === path;
}
