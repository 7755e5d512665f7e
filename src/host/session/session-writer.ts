import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import type { SessionEntry } from "../../events/index.ts";
import { type FileIO, writeFully } from "./file-io.ts";
import { freeName } from "./repair.ts";
import { writeError } from "./session-error.ts";
import { lockSession, unlockSession } from "./session-lock.ts";
import type { SessionTree } from "./session-tree.ts";

/**
 * - `missing`: written as a whole with the first entry that matters
 * - `outdated`: written anew as a whole with the next entry, the old one is kept beside it
 * - `current`: the next entry is one more line
 */
type FileState = "missing" | "outdated" | "current";

export interface WriterOptions {
  readonly path: string;
  readonly io: FileIO;
  /** Whether an entry has to be on the disk itself: safe also when the power fails. */
  readonly durable: boolean;
}

/** Adds entries to a session file. When `append` returns, the entry is in the file. */
export class SessionWriter {
  readonly #options: WriterOptions;
  #state: FileState;
  #fd: number | undefined;
  #isLocked: boolean;
  #isClosed = false;
  #needsNewline: boolean;

  /** A file that is there has to be locked already. */
  constructor(options: WriterOptions, state: FileState, needsNewline = false) {
    this.#options = options;
    this.#state = state;
    this.#isLocked = state !== "missing";
    this.#needsNewline = needsNewline;
    if (state === "current")
      this.#fd = openSync(options.path, constants.O_RDWR | constants.O_APPEND);
  }

  append(entry: SessionEntry, session: SessionTree): void {
    this.#try(() => {
      if (this.#fd !== undefined) this.#addLine(this.#fd, JSON.stringify(entry));
      else if (this.#state === "outdated" || matters(entry)) this.#writeWhole(session, [entry]);
    });
  }

  /** Writes a new session that has entries already, unless none of them matters. */
  begin(session: SessionTree): void {
    this.#try(() => {
      if (session.getEntries().some(matters)) this.#writeWhole(session, []);
    });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    if (this.#isLocked) unlockSession(this.#options.path);
    this.#isLocked = false;
  }

  #try(act: () => void): void {
    try {
      if (this.#isClosed) throw new Error("it was closed");
      act();
    } catch (error) {
      throw writeError(this.#options.path, error);
    }
  }

  #addLine(fd: number, json: string): void {
    const { io, durable } = this.#options;
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) throw new Error("the file was deleted while the session was open");
    try {
      writeFully(fd, `${this.#needsNewline ? "\n" : ""}${json}\n`, io);
      if (durable) io.sync(fd);
      this.#needsNewline = false;
    } catch (error) {
      this.#takeBack(fd, size);
      throw error;
    }
  }

  #takeBack(fd: number, size: number): void {
    try {
      ftruncateSync(fd, size);
    } catch {
      // Then half a line stays; the next one must not become a part of it.
      this.#needsNewline = true;
    }
  }

  #writeWhole(session: SessionTree, added: readonly SessionEntry[]): void {
    const { path, durable } = this.#options;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isLockNew = !this.#isLocked;
    if (isLockNew) lockSession(path);
    try {
      this.#fd = this.#replace([session.getHeader(), ...session.getEntries(), ...added]);
      this.#state = "current";
      this.#needsNewline = false;
      this.#isLocked = true;
      if (durable) syncFolder(dirname(path));
    } catch (error) {
      if (isLockNew) unlockSession(path);
      throw error;
    }
  }

  /** A reader sees the old file or the whole new one. Returns the new one, open for appending. */
  #replace(lines: readonly object[]): number {
    const { path, io, durable } = this.#options;
    const old = statSync(path, { throwIfNoEntry: false });
    if (old && this.#state === "missing") throw new Error("there is another file already");
    const temporary = `${path}.${randomUUID()}.tmp`;
    const fd = openSync(temporary, "ax+", old ? old.mode & 0o777 : 0o600);
    try {
      for (const text of joined(lines)) writeFully(fd, text, io);
      if (durable) io.sync(fd);
      if (old) keepBeside(path);
      renameSync(temporary, path);
      return fd;
    } catch (error) {
      closeSync(fd);
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

/** The choice of a model alone does not make a session worth keeping. */
function matters({ type }: SessionEntry): boolean {
  return type !== "model_change" && type !== "thinking_level_change";
}

/** Lines as text, in pieces small enough not to need the whole session in memory again. */
function* joined(lines: readonly object[]): Generator<string> {
  let text = "";
  for (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < 1024 * 1024) continue;
    yield text;
    text = "";
  }
  yield text;
}

function keepBeside(path: string): void {
  const backup = existsSync(`${path}.bak`) ? freeName(`${path}.bak`) : `${path}.bak`;
  try {
    linkSync(path, backup);
  } catch {
    // Not every file system has hard links.
    copyFileSync(path, backup, constants.COPYFILE_EXCL);
  }
}

/** So that the new name survives a power failure as well. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
