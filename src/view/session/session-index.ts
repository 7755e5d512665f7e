import { setImmediate as othersFirst } from "node:timers/promises";
import {
  type Fingerprint,
  fingerprintOf,
  isBlank,
  isSameFile,
  type LineFormat,
  type ReadableFile,
} from "../../agents/index.ts";
import { fileLines } from "./line-file.ts";
import { LineReader } from "./line-reader.ts";
import type { Piece } from "./pieces.ts";
import { SessionFacts } from "./session-facts.ts";

/** A place from which reading can begin. */
export interface Mark {
  readonly offset: number;
  readonly line: number;
  /** How many entries are shown before it. */
  readonly entries: number;
  /** What the format remembered there. */
  readonly seen: readonly (readonly [string, unknown])[];
}

/** Lines between two marks: as many are read to find one entry. */
const MARK_LINES = 256;
/** What a format remembers is kept with each mark, so those that remember much have fewer. */
const LINES_PER_SEEN = 8;
/** After so many bytes others get their turn: a few milliseconds of work. */
const SLICE = 1024 * 1024;

/** Pieces of the session itself that the page shows as entries. */
export function isShown({ kind, child }: Piece): boolean {
  return kind !== "result" && child === undefined;
}

/**
 * Where the entries of a transcript are, and what they come to. Made by reading it once from the
 * beginning, in slices; later only what was appended is read.
 */
export class SessionIndex {
  readonly #format: LineFormat;
  readonly #open: () => ReadableFile;
  facts = new SessionFacts();
  marks: Mark[] = [];
  /** Children that are written into this file: where each begins and ends. */
  children = new Map<string, { from: number; to: number }>();
  #reader: LineReader;
  #offset = 0;
  #size = 0;
  #print: Fingerprint | undefined;
  /** The last line was whole without its end: that is not a line of its own when it comes. */
  #isMidLine = false;
  #running: Promise<void> | undefined;
  bytesRead = 0;

  constructor(format: LineFormat, open: () => ReadableFile) {
    this.#format = format;
    this.#open = open;
    this.#reader = new LineReader(format, [], 0);
  }

  /** How much of the file is read, from 0 to 1. */
  get done(): number {
    return this.#size === 0 ? 1 : Math.min(1, this.#offset / this.#size);
  }

  get offset(): number {
    return this.#offset;
  }

  /** Reads what was appended; at once if nothing was. One that is under way is joined. */
  update(): Promise<void> {
    this.#running ??= this.#read().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The last mark at or before a place. */
  markAt(offset: number): Mark | undefined {
    return last(this.marks, (mark) => mark.offset <= offset);
  }

  markOfEntry(index: number): Mark | undefined {
    return last(this.marks, (mark) => mark.entries <= index);
  }

  markOfLine(line: number): Mark | undefined {
    return last(this.marks, (mark) => mark.line <= line);
  }

  async #read(): Promise<void> {
    const file = this.#open();
    try {
      const { size, ino } = file.stat();
      // It was written anew: what was read of it means nothing any more.
      if (this.#print && !isSameFile(file, this.#offset, this.#print, size).same) this.#restart();
      this.#size = size;
      let slice = 0;
      for (const line of fileLines(file, this.#offset, size)) {
        const isRest = this.#isMidLine && isBlank(line.bytes);
        this.#isMidLine = line.isOpen === true;
        if (isRest) {
          this.#offset = line.end;
          continue;
        }
        this.#mark(line.offset);
        const { line: before } = this.#reader;
        const { pieces, entries } = this.#reader.read(line);
        // It is still being written: the next time it may be whole.
        if (line.isOpen && this.#reader.line === before) {
          this.#isMidLine = false;
          break;
        }
        this.facts.note(entries);
        for (const piece of pieces) this.#count(piece);
        this.#offset = line.end;
        slice += line.end - line.offset;
        this.bytesRead += line.end - line.offset;
        if (slice < SLICE) continue;
        slice = 0;
        await othersFirst();
      }
      // What is left is a line that somebody is writing: all that can be read is read.
      this.#size = this.#offset;
      this.#print = fingerprintOf(file, this.#offset, { size, ino }).print;
    } finally {
      file.close();
    }
  }

  #mark(offset: number): void {
    const { line = 0, seen } = this.#reader;
    const since = line - (this.marks.at(-1)?.line ?? Number.NEGATIVE_INFINITY);
    if (since < Math.max(MARK_LINES, seen.size * LINES_PER_SEEN)) return;
    this.marks.push({
      offset,
      line,
      entries: this.facts.entries,
      seen: structuredClone([...seen]),
    });
  }

  #count(piece: Piece): void {
    if (piece.kind === "result") this.facts.result(piece);
    if (isShown(piece)) this.facts.count(piece);
    if (piece.child === undefined) return;
    const known = this.children.get(piece.child);
    this.children.set(piece.child, { from: known?.from ?? piece.offset, to: piece.offset });
  }

  #restart(): void {
    this.facts = new SessionFacts();
    this.marks = [];
    this.children = new Map();
    this.#reader = new LineReader(this.#format, [], 0);
    this.#offset = 0;
    this.#isMidLine = false;
  }
}

/** Of a list in rising order, the last for which it is true. */
function last(marks: readonly Mark[], isTrue: (mark: Mark) => boolean): Mark | undefined {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const mark = marks[middle];
    if (mark && isTrue(mark)) low = middle + 1;
    else high = middle;
  }
  return marks[low - 1];
}
