import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const CHUNK = 64 * 1024;

/** Longer lines are passed over: nothing that is needed is in them. */
const LONGEST_LINE = 16 * 1024 * 1024;

const ALL = { bytes: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY };

/** Reads the lines that are appended to a file, each once. */
export class StreamReader {
  readonly #path: string;
  #offset = 0;
  /** The beginning of a line whose end is not there yet. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #isTooLong = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes that were read so far. */
  get size(): number {
    return this.#offset;
  }

  /**
   * Gives every whole line that came since, as long as there are not too many; false: there is more.
   * A line costs about as much as a kilobyte, however short it is.
   */
  read(take: (line: string) => void, most = ALL): boolean {
    let file: number;
    try {
      file = openSync(this.#path, "r");
    } catch {
      return true;
    }
    try {
      const end = Math.min(fstatSync(file).size, this.#offset + most.bytes);
      const buffer = Buffer.allocUnsafe(CHUNK);
      let lines = 0;
      const count = (line: string) => {
        lines++;
        take(line);
      };
      while (this.#offset < end && lines < most.lines) {
        const length = Math.min(CHUNK, end - this.#offset);
        const got = readSync(file, buffer, 0, length, this.#offset);
        if (got === 0) break;
        this.#offset += got;
        this.#split(buffer.subarray(0, got), count);
      }
      return this.#offset >= fstatSync(file).size;
    } finally {
      closeSync(file);
    }
  }

  /** What stands behind the last line end, for a file that will not grow any more. */
  last(take: (line: string) => void): void {
    if (this.#restBytes > 0 && !this.#isTooLong) take(Buffer.concat(this.#rest).toString());
    this.#rest = [];
    this.#restBytes = 0;
  }

  #split(bytes: Buffer, take: (line: string) => void): void {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      this.#keep(bytes.subarray(from, at));
      if (!this.#isTooLong) take(Buffer.concat(this.#rest).toString());
      this.#rest = [];
      this.#restBytes = 0;
      this.#isTooLong = false;
      from = at + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0 || this.#isTooLong) return;
    this.#restBytes += bytes.length;
    this.#isTooLong = this.#restBytes > LONGEST_LINE;
    if (this.#isTooLong) this.#rest = [];
    // The chunk is written over by the next read.
    else this.#rest.push(Buffer.from(bytes));
  }
}
