import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const DIGITS = 16;

/** The number of the last entry that was dealt with, on disk. */
export class Cursor {
  readonly #fd: number;
  #value: number;

  constructor(path: string) {
    this.#fd = openSync(path, openFlags(path), 0o600);
    const value = Number.parseInt(readFileSync(path, "utf8"), 10);
    this.#value = Number.isSafeInteger(value) ? value : 0;
  }

  get value(): number {
    return this.#value;
  }

  /** One write of always the same length: after a crash it is the old number or the new one. */
  move(seq: number): void {
    this.#value = seq;
    writeSync(this.#fd, `${String(seq).padStart(DIGITS, "0")}\n`, 0);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function openFlags(path: string): string {
  try {
    closeSync(openSync(path, "r+"));
    return "r+";
  } catch {
    return "w+";
  }
}
