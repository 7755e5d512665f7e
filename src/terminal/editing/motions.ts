import type { Segment, Segmenter } from "./segments.ts";
import type { Position, TextBuffer } from "./text-buffer.ts";

/** Where a movement of the cursor leads; at the ends of the text it leads nowhere. */
export type Motion = (buffer: TextBuffer, segment: Segmenter) => Position;

export const lineStart: Motion = ({ cursor }) => ({ line: cursor.line, col: 0 });

export const lineEnd: Motion = (buffer) => {
  const { line } = buffer.cursor;
  return { line, col: buffer.lineAt(line).length };
};

export const charLeft: Motion = (buffer, segment) => {
  const { line, col } = buffer.cursor;
  if (col === 0) return endOfPreviousLine(buffer);
  return { line, col: segmentsBefore(buffer, segment).at(-1)?.start ?? 0 };
};

export const charRight: Motion = (buffer, segment) => {
  const { line, col } = buffer.cursor;
  const next = segmentsAfter(buffer, segment)[0];
  if (!next) return startOfNextLine(buffer);
  return { line, col: Math.max(col, next.end) };
};

export const wordLeft: Motion = (buffer, segment) => {
  const { line, col } = buffer.cursor;
  if (col === 0) return endOfPreviousLine(buffer);
  const reached = skipWord(segmentsBefore(buffer, segment).reverse());
  return { line, col: reached?.start ?? 0 };
};

export const wordRight: Motion = (buffer, segment) => {
  const { line, col } = buffer.cursor;
  if (col === buffer.lineAt(line).length) return startOfNextLine(buffer);
  const reached = skipWord(segmentsAfter(buffer, segment));
  return { line, col: reached?.end ?? col };
};

/** The last segment of the first word, blanks before it skipped. */
function skipWord(segments: readonly Segment[]): Segment | undefined {
  let reached: Segment | undefined;
  let word: string | undefined;
  for (const part of segments) {
    const kind = kindOf(part.text);
    if (word !== undefined && kind !== word) break;
    if (kind !== "blank") word = kind;
    reached = part;
  }
  return reached;
}

function kindOf(text: string): string {
  if (/^\s/.test(text)) return "blank";
  // Several characters in one segment that are no single grapheme: a placeholder, a word by itself.
  if (/^\[.+\]$/.test(text)) return text;
  return /^[\p{P}\p{S}]/u.test(text) ? "sign" : "letter";
}

function segmentsBefore(buffer: TextBuffer, segment: Segmenter): Segment[] {
  const { line, col } = buffer.cursor;
  return segment(buffer.lineAt(line)).filter((part) => part.start < col);
}

function segmentsAfter(buffer: TextBuffer, segment: Segmenter): Segment[] {
  const { line, col } = buffer.cursor;
  return segment(buffer.lineAt(line)).filter((part) => part.end > col);
}

function endOfPreviousLine(buffer: TextBuffer): Position {
  const line = buffer.cursor.line - 1;
  return line < 0 ? buffer.cursor : { line, col: buffer.lineAt(line).length };
}

function startOfNextLine(buffer: TextBuffer): Position {
  const line = buffer.cursor.line + 1;
  return line >= buffer.lines.length ? buffer.cursor : { line, col: 0 };
}
