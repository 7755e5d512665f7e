import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  type TruncationResult,
  truncateTail,
} from "../truncate.ts";
import { OutputFile } from "./output-file.ts";

export interface OutputSnapshot {
  truncation: TruncationResult;
  /** Where the whole output is, once it is more than can be shown. */
  fullOutputPath?: string;
}

/** The output of a command: its end in memory, and all of it in a file once it is too long. */
export class CommandOutput {
  readonly #decoder = new TextDecoder("utf-8");
  /** Everything so far, until there is a file for it. */
  #unsaved: Buffer[] = [];
  #file: OutputFile | undefined;
  #finished = false;
  #tail = "";
  #newlines = 0;
  #bytes = 0;

  append(data: Buffer): void {
    // A remote command that ignores an abort may go on talking to nobody.
    if (this.#finished) return;
    this.#take(this.#decoder.decode(data, { stream: true }));
    this.#unsaved.push(data);
    this.#saveWhenTooLong();
  }

  finish(): void {
    this.#take(this.#decoder.decode());
    this.#saveWhenTooLong();
    this.#finished = true;
    this.#file?.close();
  }

  /** For output nobody will ask for. */
  discardFile(): void {
    this.#file?.remove();
  }

  snapshot(): OutputSnapshot {
    const endsWithNewline = this.#tail.endsWith("\n");
    const shown = truncateTail(endsWithNewline ? this.#tail.slice(0, -1) : this.#tail);
    const truncation: TruncationResult = { ...shown, ...this.#totals() };
    const fullOutputPath = this.#file?.path;
    return fullOutputPath === undefined ? { truncation } : { truncation, fullOutputPath };
  }

  /** A line break at the end belongs to the last line and starts no new one. */
  #totals(): { totalLines: number; totalBytes: number } {
    const final = this.#tail.endsWith("\n") ? 1 : 0;
    return { totalLines: this.#newlines + 1 - final, totalBytes: this.#bytes - final };
  }

  #take(text: string): void {
    // Models and terminals stumble over NUL, and dropping it would join what it separates.
    const visible = text.replaceAll("\0", "\u2400");
    this.#bytes += Buffer.byteLength(visible);
    this.#newlines += visible.split("\n").length - 1;
    this.#tail += visible;
    // Never shown beyond the limit, so twice of it is enough to tell that something is missing.
    if (this.#tail.length > 4 * DEFAULT_MAX_BYTES) {
      this.#tail = this.#tail.slice(-2 * DEFAULT_MAX_BYTES);
    }
  }

  #saveWhenTooLong(): void {
    const { totalLines, totalBytes } = this.#totals();
    if (totalLines <= DEFAULT_MAX_LINES && totalBytes <= DEFAULT_MAX_BYTES) return;
    this.#file ??= new OutputFile();
    for (const data of this.#unsaved) this.#file.append(data);
    this.#unsaved = [];
  }
}
