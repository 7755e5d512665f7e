import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type Accepted, type JournalEntry, parseLine, toLine } from "./entry.ts";

export interface JournalOptions {
  /** A number that was used, even if its entry is gone. */
  readonly after?: number;
  /** From this size on a new file is begun. */
  readonly segmentBytes?: number;
  /** So that a test can let it fail. */
  readonly write?: (fd: number, bytes: Buffer) => number;
}

interface Segment {
  readonly path: string;
  /** The number of its first entry. */
  readonly first: number;
}

const SUFFIX = ".jsonl";
const DIGITS = 16;

/**
 * Every hook that was accepted, in the order of acceptance: one line each, on disk before anyone
 * is told. Survives the end of the process at any moment; a line that was cut off is taken back.
 */
export class Journal {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #write: (fd: number, bytes: Buffer) => number;
  #segments: Segment[];
  #fd: number;
  #size: number;
  #next: number;

  constructor(folder: string, options: JournalOptions = {}) {
    const { after = 0, segmentBytes = 8 * 1024 * 1024, write = writeSync } = options;
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#write = write;
    this.#segments = segmentsIn(folder);
    const last = this.#segments.at(-1);
    this.#next = Math.max(after, last ? lastOf(last) : 0) + 1;
    const { fd, size } = last ? reopen(last.path) : this.#begin();
    this.#fd = fd;
    this.#size = size;
  }

  /** Returns when the entry is on disk. Throws if it could not be written; then none of it is. */
  append(accepted: Accepted): JournalEntry {
    if (this.#size >= this.#segmentBytes) this.#rotate();
    const entry = { seq: this.#next, ...accepted };
    const bytes = Buffer.from(toLine(entry));
    try {
      for (let done = 0; done < bytes.length; ) {
        done += this.#write(this.#fd, done === 0 ? bytes : bytes.subarray(done));
      }
    } catch (error) {
      ftruncateSync(this.#fd, this.#size);
      throw error;
    }
    this.#size += bytes.length;
    this.#next++;
    return entry;
  }

  /** Entries after a number, oldest first. */
  *after(seq: number): Generator<JournalEntry> {
    for (const [index, { path }] of this.#segments.entries()) {
      const following = this.#segments[index + 1];
      if (following && following.first <= seq + 1) continue;
      for (const entry of entriesOf(path)) if (entry.seq > seq) yield entry;
    }
  }

  /** Removes files that hold nothing after a number. */
  trim(seq: number): void {
    for (let second = this.#segments[1]; second && second.first <= seq + 1; ) {
      const gone = this.#segments.shift();
      if (gone) rmSync(gone.path, { force: true });
      second = this.#segments[1];
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #rotate(): void {
    const { fd, size } = this.#begin();
    closeSync(this.#fd);
    this.#fd = fd;
    this.#size = size;
  }

  #begin(): { fd: number; size: number } {
    const first = this.#next;
    const path = join(this.#folder, `${String(first).padStart(DIGITS, "0")}${SUFFIX}`);
    const fd = openSync(path, "ax", 0o600);
    this.#segments.push({ path, first });
    return { fd, size: 0 };
  }
}

function segmentsIn(folder: string): Segment[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX) && name.length === DIGITS + SUFFIX.length)
    .sort()
    .map((name) => ({ path: join(folder, name), first: Number.parseInt(name, 10) }))
    .filter(({ first }) => Number.isSafeInteger(first));
}

/** The number of a file's last entry, or of the one before its first. */
function lastOf({ path, first }: Segment): number {
  let last = first - 1;
  for (const { seq } of entriesOf(path)) last = Math.max(last, seq);
  return last;
}

/** A last line without its end was never told to anyone: it is taken off. */
function reopen(path: string): { fd: number; size: number } {
  const whole = readFileSync(path).lastIndexOf(NEWLINE) + 1;
  const fd = openSync(path, "a+", 0o600);
  if (fstatSync(fd).size > whole) ftruncateSync(fd, whole);
  return { fd, size: whole };
}

const NEWLINE = 0x0a;

function* entriesOf(path: string): Generator<JournalEntry> {
  const bytes = readFileSync(path);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0) return;
    const entry = parseLine(bytes.toString("utf8", start, end));
    if (entry) yield entry;
    start = end + 1;
  }
}
