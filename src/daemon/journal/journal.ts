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
import { type Accepted, headOf, type JournalEntry, parseLine, toLine } from "./entry.ts";

export interface JournalOptions {
  /** The highest number that was used, even if its entry is gone. */
  readonly after?: number;
  /** From this size on a new file is begun. */
  readonly segmentBytes?: number;
  /** So that a test can let it fail; without a place the bytes are appended. */
  readonly write?: (fd: number, bytes: Buffer, at?: number) => number;
}

interface Segment {
  readonly path: string;
  /** The number of its first entry. */
  readonly first: number;
}

const SUFFIX = ".jsonl";
const DIGITS = 16;

/** Where a line says what the agent said: from here up to the end of the line. */
interface Said {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Every hook that was accepted, in the order of acceptance: one line each, on disk before anyone
 * is told. Survives the end of the process at any moment; a line that was cut off is taken back.
 * What an agent said stays in it until it was recorded. Then it is written over: the record takes
 * secrets out, and they must not stay behind here.
 */
export class Journal {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #write: (fd: number, bytes: Buffer, at?: number) => number;
  /** The entries that still contain what the agent said, in order. */
  readonly #said = new Map<number, Said>();
  #striker: { readonly path: string; readonly fd: number } | undefined;
  #segments: Segment[];
  #fd: number;
  #size: number;
  #next: number;

  constructor(folder: string, options: JournalOptions = {}) {
    const { after = 0, segmentBytes = 8 * 1024 * 1024, write = writeTo } = options;
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
    const { head, body } = toLine(entry);
    const bytes = Buffer.from(head + body);
    try {
      for (let done = 0; done < bytes.length; ) {
        done += this.#write(this.#fd, done === 0 ? bytes : bytes.subarray(done));
      }
    } catch (error) {
      ftruncateSync(this.#fd, this.#size);
      throw error;
    }
    const path = this.#segments.at(-1)?.path ?? "";
    const start = this.#size + Buffer.byteLength(head);
    this.#size += bytes.length;
    this.#said.set(entry.seq, { path, start, end: this.#size - 1 });
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

  /** Takes out what agents said in all entries up to a number. Throws if that cannot be done. */
  strike(seq: number): void {
    for (const [number, said] of this.#said) {
      if (number > seq) return;
      if (this.#segments.some(({ path }) => path === said.path)) this.#strikeOut(said, "}");
      this.#said.delete(number);
    }
  }

  /**
   * Strikes what the process before could not strike any more, up to a number, and learns where the
   * rest is. A line that was struck in part cannot be read; its number is the one that is missing.
   */
  strikeRest(seq: number): void {
    for (const { path, first } of this.#segments) {
      let next = first;
      for (const { line, start, end } of linesOf(path)) {
        const entry = parseLine(line);
        const number = entry?.seq ?? next;
        next = number + 1;
        if (entry?.isStruck || line.trim() === "") continue;
        const head = entry ? headOf(entry) : "";
        const isKnown = head !== "" && line.startsWith(head);
        const said = { path, start: start + (isKnown ? Buffer.byteLength(head) : 0), end };
        if (number <= seq) this.#strikeOut(said, isKnown ? "}" : " ");
        else if (isKnown) this.#said.set(number, said);
      }
    }
  }

  /** The entry is overwritten in place, so that the file never has less than before. */
  #strikeOut({ path, start, end }: Said, first: string): void {
    const fd = this.#strikerOf(path);
    for (let at = start; at < end; ) {
      const bytes = BLANK.subarray(0, end - at);
      at += this.#write(fd, at === start ? Buffer.from(first) : bytes, at);
    }
  }

  #strikerOf(path: string): number {
    if (this.#striker?.path === path) return this.#striker.fd;
    if (this.#striker) closeSync(this.#striker.fd);
    this.#striker = undefined;
    this.#striker = { path, fd: openSync(path, "r+") };
    return this.#striker.fd;
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
    if (this.#striker) closeSync(this.#striker.fd);
    this.#striker = undefined;
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

/** A last line without its line end was never acknowledged to anyone, so it is removed. */
function reopen(path: string): { fd: number; size: number } {
  const whole = readFileSync(path).lastIndexOf(NEWLINE) + 1;
  const fd = openSync(path, "a+", 0o600);
  if (fstatSync(fd).size > whole) ftruncateSync(fd, whole);
  return { fd, size: whole };
}

const NEWLINE = 0x0a;
const BLANK = Buffer.alloc(256 * 1024, " ");

function writeTo(fd: number, bytes: Buffer, at?: number): number {
  return writeSync(fd, bytes, 0, bytes.length, at);
}

function* entriesOf(path: string): Generator<JournalEntry> {
  for (const { line } of linesOf(path)) {
    const entry = parseLine(line);
    if (entry) yield entry;
  }
}

interface Line {
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

function* linesOf(path: string): Generator<Line> {
  const bytes = readFileSync(path);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0) return;
    yield { line: bytes.toString("utf8", start, end), start, end };
    start = end + 1;
  }
}
