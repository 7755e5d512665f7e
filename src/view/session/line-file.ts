import type { ReadableFile } from "../../agents/index.ts";

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;
/** No line that a person could read is longer. It is not parsed, and shown as what it is. */
const LONGEST_LINE = 32 * 1024 * 1024;
const HEAD_BYTES = 4 * 1024;

export interface FileLine {
  readonly offset: number;
  /** Where the next one begins. */
  readonly end: number;
  /** Valid until the next one is asked for. Of a line that is too long, its beginning. */
  readonly bytes: Buffer;
  readonly isTooLong?: true;
  /** The file ends without a line end: it may still be written. */
  readonly isOpen?: true;
}

/** The lines of a part of a file that begins at the beginning of a line, one after the other. */
export function* fileLines(
  file: ReadableFile,
  from: number,
  until: number,
): Generator<FileLine, void> {
  const chunk = Buffer.allocUnsafeSlow(Math.max(1, Math.min(CHUNK, until - from)));
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let offset = from;
  let at = from;
  const lineOf = (rest: Buffer): Buffer =>
    begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
  while (at < until) {
    const length = file.read(chunk, Math.min(chunk.length, until - at), at);
    // The file became shorter while it was read.
    if (length === 0) break;
    const filled = chunk.subarray(0, length);
    let start = 0;
    for (
      let newline = filled.indexOf(NEWLINE);
      newline !== -1;
      newline = filled.indexOf(NEWLINE, start)
    ) {
      const end = at + newline + 1;
      const isTooLong = end - offset > LONGEST_LINE;
      const bytes = lineOf(filled.subarray(start, newline));
      yield { offset, end, bytes, ...(isTooLong && { isTooLong }) };
      begun = [];
      begunBytes = 0;
      offset = end;
      start = newline + 1;
    }
    if (start < length && begunBytes < LONGEST_LINE) {
      // It is a copy, because the next read goes into the same buffer.
      const isEnough = begunBytes + length - start > LONGEST_LINE;
      if (isEnough) begun = [Buffer.from(lineOf(filled.subarray(start)).subarray(0, HEAD_BYTES))];
      else begun.push(Buffer.from(filled.subarray(start)));
      begunBytes = isEnough ? LONGEST_LINE : begunBytes + length - start;
    }
    at += length;
  }
  if (offset < at) {
    const isTooLong = at - offset > LONGEST_LINE;
    yield {
      offset,
      end: at,
      bytes: Buffer.concat(begun),
      isOpen: true,
      ...(isTooLong && { isTooLong }),
    };
  }
}

/** Where a line begins that is about so many bytes before a place; 0 if that is the first. */
export function lineBefore(file: ReadableFile, end: number, bytes: number): number {
  for (let size = bytes; ; size *= 2) {
    const start = Math.max(0, end - size);
    if (start === 0) return 0;
    // The byte before tells whether a line begins there.
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, end - start));
    for (let at = start - 1; at < end - 1; ) {
      const length = file.read(chunk, Math.min(chunk.length, end - 1 - at), at);
      if (length === 0) break;
      const newline = chunk.subarray(0, length).indexOf(NEWLINE);
      if (newline !== -1) return at + newline + 1;
      at += length;
    }
  }
}
