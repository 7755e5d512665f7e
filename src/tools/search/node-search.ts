import { createReadStream } from "node:fs";
import { join } from "node:path";
import { throwIfAborted } from "../abort.ts";
import { globToRegExp } from "./glob.ts";
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

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t ",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/** The query as a JavaScript expression, also where ripgrep's way to write it is another. */
function linePattern(query: LineQuery): RegExp {
  const flags = query.ignoreCase ? "i" : "";
  if (query.literal) return new RegExp(query.pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), flags);
  const inline = /^\(\?([imsu]+)\)/.exec(query.pattern);
  const source = query.pattern
    .slice(inline?.[0].length ?? 0)
    .replace(/\[:(\w+):\]/g, (whole, name: string) => POSIX_CLASSES[name] ?? whole)
    .replaceAll("(?P<", "(?<");
  const allFlags = inline?.[1]?.includes("i") ? "i" : flags;
  // Only "u" knows \p{...}, and only without it is an escape too many forgiven.
  return compile(source, `${allFlags}u`) ?? compile(source, allFlags) ?? refuse(source);
}

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function refuse(source: string): never {
  throw new Error(`${source} is not a valid regular expression`);
}
