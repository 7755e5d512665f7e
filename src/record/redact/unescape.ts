/** A text made from another one, and the way back. Both have one character per byte. */
export interface Unescaped {
  readonly text: string;
  /** Where in the source the part that starts here starts. */
  readonly startInSource: (at: number) => number;
  /** Where in the source the part that ends before here ends. */
  readonly endInSource: (at: number) => number;
}

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
export function unescapeJson(source: string): Unescaped {
  let next = source.indexOf("\\");
  if (next < 0) return { text: source, startInSource: same, endInSource: same };
  // For every escape: where its text starts and ends, and where it starts and ends in the source.
  const marks: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  while (next >= 0 && next + 1 < source.length) {
    const { value, end } = escapeAt(source, next);
    parts.push(source.slice(from, next), value);
    length += next - from;
    marks.push(length, length + value.length, next, end);
    length += value.length;
    from = end;
    next = source.indexOf("\\", end);
  }
  parts.push(source.slice(from));
  return {
    text: parts.join(""),
    startInSource: (at) => inSource(marks, at, 2),
    endInSource: (at) => (at === 0 ? 0 : inSource(marks, at - 1, 3)),
  };
}

function same(at: number): number {
  return at;
}

/** `edge` 2: the start of the character at this place. 3: its end. */
function inSource(marks: readonly number[], at: number, edge: 2 | 3): number {
  let low = 0;
  let high = marks.length / 4;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle * 4] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const isLast = edge === 3 ? 1 : 0;
  if (low === 0) return at + isLast;
  const mark = (low - 1) * 4;
  const textEnd = marks[mark + 1] ?? 0;
  if (at < textEnd) return marks[mark + edge] ?? 0;
  return (marks[mark + 3] ?? 0) + (at - textEnd) + isLast;
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
