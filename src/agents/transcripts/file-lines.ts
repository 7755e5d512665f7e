import { setImmediate as othersFirst } from "node:timers/promises";
import type { ReadableFile } from "./readable-file.ts";

/** After so many bytes others get their turn: a few milliseconds of work. */
const CHUNK = 1024 * 1024;
const NEWLINE = 0x0a;

export interface LinesRead {
  /** Where the line after the last whole one starts. */
  readonly end: number;
  /** What stands there without a line end yet. */
  readonly rest: Buffer;
  readonly bytesRead: number;
}

/**
 * Reads whole lines from one place of a file up to another, in chunks into one buffer. `onLine`
 * gets a line without its end, valid during the call; "stop" leaves this line and all that follow
 * unread. `betweenChunks` lets others have their turn.
 */
export async function readFileLines(
  file: ReadableFile,
  from: number,
  until: number,
  onLine: (line: Buffer) => unknown,
  betweenChunks: () => Promise<void> = othersFirst,
): Promise<LinesRead> {
  const chunk = Buffer.allocUnsafeSlow(Math.max(1, Math.min(CHUNK, until - from)));
  let begun: Buffer[] = [];
  let at = from;
  while (at < until) {
    if (at > from) await betweenChunks();
    const length = file.read(chunk, Math.min(chunk.length, until - at), at);
    // The file became shorter while it was read.
    if (length === 0) break;
    at += length;
    const filled = chunk.subarray(0, length);
    let start = 0;
    let newline = filled.indexOf(NEWLINE);
    for (; newline !== -1; newline = filled.indexOf(NEWLINE, start)) {
      const end = filled.subarray(start, newline);
      const line = begun.length === 0 ? end : Buffer.concat([...begun, end]);
      if (onLine(line) === "stop") {
        const unread = length - newline + line.length;
        return { end: at - unread, rest: Buffer.alloc(0), bytesRead: at - from };
      }
      begun = [];
      start = newline + 1;
    }
    // It is a copy, because the next read goes into the same buffer.
    if (start < length) begun.push(Buffer.from(filled.subarray(start)));
  }
  const rest = Buffer.concat(begun);
  return { end: at - rest.length, rest, bytesRead: at - from };
}
