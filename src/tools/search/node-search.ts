import { createReadStream } from "node:fs";
import { join } from "node:path";
import { throwIfAborted } from "../abort.ts";
import { globToRegExp } from "./glob.ts";
import { linePattern } from "./line-pattern.ts";
import type { LineMatch, LineQuery, SearchPlace } from "./line-search.ts";
import { walk } from "./walk.ts";

const PIECE_BYTES = 64 * 1024;

/** A file with a longer line is not one people search; holding the line would cost the memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Searches without ripgrep: slower, with the same results for everyday patterns. */
export async function* nodeSearch(
  query: LineQuery,
  place: SearchPlace,
  signal: AbortSignal | undefined,
): AsyncGenerator<LineMatch> {
  const pattern = linePattern(query);
  if (place.file !== undefined) {
    yield* matchesIn(place.folder, place.file, pattern, signal);
    return;
  }
  const { wanted, unwanted } = fileFilter(query.glob);
  for await (const { path, kind } of walk(place.folder, signal, unwanted)) {
    if (kind === "file" && wanted(path)) yield* matchesIn(place.folder, path, pattern, signal);
  }
}

function fileFilter(glob: string | undefined) {
  const all = { wanted: () => true, unwanted: () => false };
  if (!glob) return all;
  const excluded = glob.startsWith("!");
  const positive = excluded ? glob.slice(1) : glob;
  const anchored = positive.includes("/");
  const fromFolder = anchored ? positive.replace(/^\//, "") : `**/${positive}`;
  const expression = globToRegExp(fromFolder, { braces: true });
  const matches = (path: string) => expression.test(path);
  return excluded ? { ...all, unwanted: matches } : { ...all, wanted: matches };
}

async function* matchesIn(
  folder: string,
  path: string,
  pattern: RegExp,
  signal: AbortSignal | undefined,
): AsyncGenerator<LineMatch> {
  let line = 0;
  try {
    for await (const texts of lineBatches(join(folder, path))) {
      throwIfAborted(signal);
      for (const text of texts) {
        line++;
        const plain = line === 1 ? text.replace(/^\uFEFF/, "") : text;
        if (pattern.test(plain)) yield { path, line, text: plain };
      }
    }
  } catch {
    throwIfAborted(signal);
    // A file that cannot be read, or is gone by now, is no reason to give up the others.
  }
}

/** The lines of a text file without their line breaks; of a binary file none. */
async function* lineBatches(path: string): AsyncGenerator<string[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const read of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    const piece: Buffer = read;
    if (piece.includes(0) || rest.length > MAX_LINE_BYTES) return;
    const end = piece.lastIndexOf(0x0a) + 1;
    if (end > 0) yield linesOf(Buffer.concat([rest, piece.subarray(0, end - 1)]));
    rest = end === 0 ? Buffer.concat([rest, piece]) : piece.subarray(end);
  }
  if (rest.length > 0) yield linesOf(rest);
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString("utf8").replace(/\r$/, "").split(/\r?\n/);
}
