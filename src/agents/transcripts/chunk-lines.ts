import { MAX_CHUNK_BYTES } from "./format.ts";

const NEWLINE = 0x0a;

/**
 * Cuts after line ends, so that every piece has at most `maxBytes`; only a single line that is
 * longer stays whole. The pieces share the memory of the content.
 */
export function chunkLines(content: Buffer, maxBytes = MAX_CHUNK_BYTES): Buffer[] {
  const limit = Math.max(1, maxBytes);
  const chunks: Buffer[] = [];
  let start = 0;
  while (content.length - start > limit) {
    const end = cutAfter(content, start, limit);
    chunks.push(content.subarray(start, end));
    start = end;
  }
  if (start < content.length || chunks.length === 0) chunks.push(content.subarray(start));
  return chunks;
}

function cutAfter(content: Buffer, start: number, limit: number): number {
  const lastFit = content.lastIndexOf(NEWLINE, start + limit - 1);
  if (lastFit >= start) return lastFit + 1;
  const next = content.indexOf(NEWLINE, start + limit);
  return next === -1 ? content.length : next + 1;
}

/** Puts lines together again. Other programs leave out the line end after the last line of a piece. */
export function joinLines(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const last = chunks.length - 1;
  const isCut = (chunk: Buffer, index: number) =>
    index < last && chunk.length > 0 && chunk.at(-1) !== NEWLINE;
  return Buffer.concat(
    chunks.flatMap((chunk, index) => (isCut(chunk, index) ? [chunk, Buffer.from("\n")] : [chunk])),
  );
}
