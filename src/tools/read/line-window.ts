import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../truncate.ts";

const NEWLINE = 0x0a;

/** How much of a file is read past the window only to tell how many lines there are. */
const COUNT_AHEAD_BYTES = 4 * 1024 * 1024;

export interface LineWindow {
  /** Whole lines without their line breaks. */
  lines: string[];
  /** Why the window ends before the file does. */
  stoppedBy: "count" | "lines" | "bytes" | null;
  /** The window reaches the end of a file that ends with a line break. */
  endsWithNewline: boolean;
  /** What was seen of the file: all of it when `complete`. */
  totalLines: number;
  totalBytes: number;
  complete: boolean;
}

/** Reads `count` lines from line `first` (from 1), and no more of the file than that takes. */
export async function readLineWindow(
  pieces: AsyncIterable<Buffer>,
  first: number,
  count = Number.POSITIVE_INFINITY,
): Promise<LineWindow> {
  const window = new Window(first, count);
  for await (const piece of pieces) {
    if (window.hasEnough()) return window.result(false);
    window.add(piece);
  }
  return window.result(true);
}

class Window {
  readonly #first: number;
  readonly #count: number;
  readonly #lines: string[] = [];
  #stoppedBy: LineWindow["stoppedBy"] = null;
  #outputBytes = 0;
  /** The line being read; dropped as soon as it cannot be shown anyway. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #lineNumber = 1;
  #lineHasBytes = false;
  #totalBytes = 0;
  #bytesPastWindow = 0;

  constructor(first: number, count: number) {
    this.#first = first;
    this.#count = count;
  }

  add(piece: Buffer): void {
    this.#totalBytes += piece.length;
    if (this.#stoppedBy) this.#bytesPastWindow += piece.length;
    let start = 0;
    while (start < piece.length) {
      const newline = piece.indexOf(NEWLINE, start);
      const end = newline === -1 ? piece.length : newline;
      this.#extendLine(piece.subarray(start, end));
      if (newline === -1) {
        this.#lineHasBytes = true;
        return;
      }
      this.#endLine();
      start = newline + 1;
    }
  }

  hasEnough(): boolean {
    return this.#stoppedBy !== null && this.#bytesPastWindow >= COUNT_AHEAD_BYTES;
  }

  result(complete: boolean): LineWindow {
    const endsWithNewline = !this.#lineHasBytes && this.#totalBytes > 0;
    const totalLines = this.#lineHasBytes ? this.#lineNumber : this.#lineNumber - 1;
    if (this.#lineHasBytes && complete) this.#endLine();
    return {
      lines: this.#lines,
      stoppedBy: this.#stoppedBy,
      endsWithNewline: endsWithNewline && this.#stoppedBy === null,
      totalLines,
      totalBytes: this.#totalBytes,
      complete,
    };
  }

  #wantsLine(): boolean {
    return this.#stoppedBy === null && this.#lineNumber >= this.#first;
  }

  #extendLine(bytes: Buffer): void {
    if (!this.#wantsLine() || bytes.length === 0) return;
    this.#stopWhenFull();
    if (this.#stoppedBy) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > DEFAULT_MAX_BYTES) this.#stop("bytes");
  }

  #endLine(): void {
    if (this.#wantsLine()) {
      this.#stopWhenFull();
      if (!this.#stoppedBy) this.#keepLine();
    }
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#lineNumber++;
    this.#lineHasBytes = false;
  }

  #keepLine(): void {
    const line = Buffer.concat(this.#pending).toString("utf8");
    const separator = this.#lines.length === 0 ? 0 : 1;
    // The bytes are counted after decoding: a byte that is not UTF-8 becomes three.
    const bytes = separator + Buffer.byteLength(line);
    if (this.#outputBytes + bytes > DEFAULT_MAX_BYTES) {
      this.#stop("bytes");
      return;
    }
    this.#outputBytes += bytes;
    this.#lines.push(line);
  }

  #stopWhenFull(): void {
    if (this.#lines.length >= this.#count) this.#stop("count");
    else if (this.#lines.length >= DEFAULT_MAX_LINES) this.#stop("lines");
  }

  #stop(reason: "count" | "lines" | "bytes"): void {
    this.#stoppedBy = reason;
    this.#pending = [];
  }
}
