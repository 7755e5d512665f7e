interface Edit {
  oldText: string;
  newText: string;
}

interface Span {
  start: number;
  end: number;
  newText: string;
  /** How the edit is called in messages. */
  name: string;
}

/**
 * Replaces each `oldText`, which must be in the original exactly once. All edits are looked up in
 * the original, so their order does not matter. What they do not cover stays as it is, to the byte.
 */
export function applyEdits(original: string, edits: readonly Edit[]): string {
  if (edits.length === 0) throw new Error("edits is empty. Give at least one replacement");
  const exact = withPlainNewlines(original);
  let lenient: Projection | undefined;
  const newline = newlineOf(original);

  const spans = edits.map((edit, index): Span => {
    const name = edits.length === 1 ? "oldText" : `edits[${index}].oldText`;
    if (edit.oldText === "") throw new Error(`${name} is empty. Use write for a whole file`);
    let found = findOnce(exact, withPlainNewlines(edit.oldText).text, name);
    // Without its spaces nothing would be left of it but line breaks, which are everywhere.
    if (!found && edit.oldText.trim() !== "") {
      lenient ??= withoutUnseenDifferences(original);
      found = findOnce(lenient, withoutUnseenDifferences(edit.oldText).text, name);
    }
    if (!found) throw notFound(exact.text, edit.oldText, name);
    return { ...found, newText: inStyleOf(newline, edit.newText), name };
  });

  spans.sort((a, b) => a.start - b.start);
  const changed = splice(original, spans);
  if (changed === original) {
    throw new Error("the edits change nothing: oldText and newText are the same");
  }
  return changed;
}

function splice(original: string, spans: readonly Span[]): string {
  let result = "";
  let done = 0;
  let previous = "";
  for (const span of spans) {
    if (span.start < done) {
      throw new Error(`${previous} and ${span.name} overlap. Merge them into one edit`);
    }
    result += original.slice(done, span.start) + span.newText;
    done = span.end;
    previous = span.name;
  }
  return result + original.slice(done);
}

function findOnce(
  where: Projection,
  wanted: string,
  name: string,
): { start: number; end: number } | undefined {
  const at = where.text.indexOf(wanted);
  const start = where.starts[at];
  const end = where.ends[at + wanted.length - 1];
  if (start === undefined || end === undefined) return undefined;
  const again = where.text.indexOf(wanted, at + 1);
  if (again !== -1) {
    const lines = `lines ${lineAt(where.text, at)} and ${lineAt(where.text, again)}`;
    throw new Error(
      `${name} is there more than once, among others at ${lines}. Add lines around it until it is unique`,
    );
  }
  return { start, end };
}

/** Most misses are right in the first line and wrong later, so the message points there. */
function notFound(text: string, oldText: string, name: string): Error {
  const advice = "It must match the file exactly, spaces and line breaks included";
  const firstLine = oldText.split("\n").find((line) => line.trim() !== "");
  const at = firstLine === undefined ? -1 : text.indexOf(firstLine.trim());
  const hint =
    at === -1 ? "Read the file again" : `Something similar starts at line ${lineAt(text, at)}`;
  return new Error(`${name} was not found. ${advice}. ${hint}`);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function newlineOf(text: string): "\r\n" | "\n" | undefined {
  const all = text.split("\n").length - 1;
  if (all === 0) return undefined;
  const windows = text.split("\r\n").length - 1;
  return windows * 2 > all ? "\r\n" : "\n";
}

function inStyleOf(newline: "\r\n" | "\n" | undefined, text: string): string {
  return newline === undefined ? text : text.replace(/\r\n|\n/g, newline);
}

/**
 * A text made comparable, with the way back: unit `i` of `text` stands for the characters from
 * `starts[i]` to `ends[i]` of the original. Searching in the projection and cutting in the
 * original leaves everything outside a match exactly as it was.
 */
interface Projection {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Line breaks as "\n". */
function withPlainNewlines(original: string): Projection {
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

/**
 * A text without spaces at the end of lines and with plain quotes: models get both wrong without
 * seeing it.
 */
function withoutUnseenDifferences(original: string): Projection {
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
