/**
 * A text made comparable, with the way back: unit `i` of `text` stands for the characters from
 * `starts[i]` to `ends[i]` of the original. Searching in the projection and cutting in the
 * original leaves everything outside a match exactly as it was.
 */
export interface Projection {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Line breaks as "\n". */
export function withPlainNewlines(original: string): Projection {
  return project(original, /\r\n/g, () => "\n");
}

const QUOTES: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201A": "'",
  "\u201B": "'",
  "\u201C": '"',
  "\u201D": '"',
  "\u201E": '"',
  "\u201F": '"',
};

/** Also without spaces at the end of lines and with plain quotes: what models get wrong unseen. */
export function withoutUnseenDifferences(original: string): Projection {
  return project(
    original,
    /\r\n|(?<![ \t])[ \t]+(?=\r?\n|$)|[\u2018-\u201F]/g,
    (found) => QUOTES[found] ?? (found === "\r\n" ? "\n" : ""),
  );
}

/** Replaces every match by at most one character and notes where each character came from. */
function project(
  original: string,
  pattern: RegExp,
  replace: (found: string) => string,
): Projection {
  const starts = new Uint32Array(original.length);
  const ends = new Uint32Array(original.length);
  let text = "";
  let length = 0;
  const note = (start: number, end: number) => {
    starts[length] = start;
    ends[length] = end;
    length++;
  };
  const copy = (from: number, to: number) => {
    text += original.slice(from, to);
    for (let at = from; at < to; at++) note(at, at + 1);
  };

  let done = 0;
  for (const match of original.matchAll(pattern)) {
    const [found] = match;
    const replacement = replace(found);
    copy(done, match.index);
    done = match.index + found.length;
    text += replacement;
    if (replacement !== "") note(match.index, done);
  }
  copy(done, original.length);
  return { text, starts, ends };
}
