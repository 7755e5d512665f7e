import { fstatSync } from "node:fs";
import type { FileIO } from "./file-io.ts";

const CHUNK = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface Line {
  /** Without its newline. Valid only during the call it is passed to. */
  readonly bytes: Buffer;
  /** Where the next line starts. */
  readonly end: number;
  readonly hasNewline: boolean;
}

/** Reads a file once, in chunks into one buffer: no copy of the text is ever complete in memory. */
export function readLines(fd: number, io: FileIO, onLine: (line: Line) => void): void {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, fstatSync(fd).size + 1));
  let position = 0;
  let begun: Buffer[] = [];
  for (let length = io.read(fd, chunk); length > 0; length = io.read(fd, chunk)) {
    const filled = chunk.subarray(0, length);
    let start = 0;
    let newline = filled.indexOf(NEWLINE);
    for (; newline !== -1; newline = filled.indexOf(NEWLINE, start)) {
      const rest = filled.subarray(start, newline);
      const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      start = newline + 1;
      onLine({ bytes, end: position + start, hasNewline: true });
    }
    // Copied, because the next read goes into the same buffer.
    if (start < length) begun.push(Buffer.from(filled.subarray(start)));
    position += length;
  }
  if (begun.length > 0) onLine({ bytes: Buffer.concat(begun), end: position, hasNewline: false });
}
