import { type Change, type Rewritten, rewritten } from "./rewritten.ts";

const SHORT: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** An escape that hides a character of which secrets are made. */
export const HIDING_ESCAPE = /\\u00[2-7][0-9a-fA-F]|\\\//;

/** Resolves the escapes of JSON. What is none stays as it is. */
export function unescapeJson(source: string): Rewritten {
  return rewritten(source, escapesIn(source));
}

function* escapesIn(source: string): Generator<Change> {
  let next = source.indexOf("\\");
  while (next >= 0 && next + 1 < source.length) {
    const { value, end } = escapeAt(source, next);
    yield { start: next, end, value };
    next = source.indexOf("\\", end);
  }
}

function escapeAt(source: string, at: number): { value: string; end: number } {
  const letter = source[at + 1] ?? "";
  if (letter !== "u") return { value: SHORT[letter] ?? letter, end: at + 2 };
  const code = hexAt(source, at);
  if (code === undefined) return { value: "\\", end: at + 1 };
  const low = code >= 0xd800 && code < 0xdc00 ? hexAt(source, at + 6) : undefined;
  if (low !== undefined && low >= 0xdc00 && low < 0xe000) {
    return { value: asBytes(String.fromCharCode(code, low)), end: at + 12 };
  }
  return { value: asBytes(String.fromCharCode(code)), end: at + 6 };
}

function hexAt(source: string, at: number): number | undefined {
  const digits = /^\\u([0-9a-fA-F]{4})$/.exec(source.slice(at, at + 6))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** The UTF-8 bytes of a text, one character each. */
export function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
