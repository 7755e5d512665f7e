import { type Segment, type Segmenter, toSegments } from "../editing/segments.ts";
import type { Position } from "../editing/text-buffer.ts";
import { graphemes } from "../text/graphemes.ts";
import { visibleWidth } from "../text/width.ts";

/** One line on the screen: a stretch of a line of the text. */
export interface Row {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Whether the line of the text ends here, so that the cursor may stand behind its last character. */
  readonly isLast: boolean;
}

/** Breaks lines into rows of at most `width` columns. No character is left out, also no space. */
export function layoutRows(lines: readonly string[], width: number, segment: Segmenter): Row[] {
  return lines.flatMap((text, line) => {
    const starts = rowStarts(divide(segment(text), width), Math.max(1, width));
    return starts.map((start, index) => ({
      line,
      start,
      end: starts[index + 1] ?? text.length,
      isLast: index === starts.length - 1,
    }));
  });
}

/** A segment wider than a row has to be broken after all. */
function divide(segments: readonly Segment[], width: number): Segment[] {
  return segments.flatMap((part) =>
    visibleWidth(part.text) > width ? toSegments(graphemes(part.text), part.start) : part,
  );
}

function rowStarts(segments: readonly Segment[], width: number): number[] {
  const starts = [0];
  let used = 0;
  /** Where the row may be broken between words, and the columns used behind that place. */
  let wordStart = 0;
  let wordWidth = 0;
  for (const part of segments) {
    const size = visibleWidth(part.text);
    const rowStart = starts.at(-1) ?? 0;
    if (used + size > width && part.start > rowStart) {
      const betweenWords = wordStart > rowStart;
      starts.push(betweenWords ? wordStart : part.start);
      used = betweenWords ? wordWidth : 0;
      // The word itself may be wider than a row.
      if (used > 0 && used + size > width) {
        starts.push(part.start);
        used = 0;
      }
    }
    used += size;
    wordWidth += size;
    if (part.text === " ") {
      wordStart = part.end;
      wordWidth = 0;
    }
  }
  return starts;
}

/** The row the cursor is in. Between two rows of a line it belongs to the second one. */
export function rowOf(rows: readonly Row[], { line, col }: Position): number {
  const index = rows.findIndex(
    (row) => row.line === line && col >= row.start && (col < row.end || row.isLast),
  );
  return Math.max(0, index);
}

/** The column on the screen of a place in a row. */
export function columnOf(lines: readonly string[], row: Row, col: number): number {
  return visibleWidth((lines[row.line] ?? "").slice(row.start, col));
}

/**
 * The place in a row that is nearest to a column without going past it. A row may begin inside a
 * segment; `step` tells in which direction the cursor was moving, and so which end it is put to.
 */
export function positionAt(
  lines: readonly string[],
  row: Row,
  column: number,
  segment: Segmenter,
  step: number,
): Position {
  const segments = segment(lines[row.line] ?? "");
  const broken = segments.find((part) => part.start < row.start && part.end > row.start);
  if (broken) return { line: row.line, col: step < 0 ? broken.start : broken.end };
  let col = row.start;
  let used = 0;
  for (const part of segments) {
    if (part.start < row.start || part.end > row.end) continue;
    used += visibleWidth(part.text);
    if (used > column) break;
    // Behind the last character of a broken row is already the next row.
    if (part.end < row.end || row.isLast) col = part.end;
  }
  return { line: row.line, col };
}
