import { CURSOR_MARKER } from "../component.ts";
import { sidePadding } from "../components/padding.ts";
import type { Segmenter } from "../editing/segments.ts";
import type { BufferState } from "../editing/text-buffer.ts";
import type { Paint } from "../text/background.ts";
import { ESC } from "../text/escapes.ts";
import { fitLine, truncateToWidth } from "../text/truncate.ts";
import { type Row, rowOf } from "./layout.ts";

/** What is drawn of an editor. */
interface EditorView {
  readonly text: BufferState;
  readonly rows: readonly Row[];
  readonly segment: Segmenter;
  readonly paddingX: number;
  /** The row at the top, as it was drawn last; it moves only as far as the cursor needs. */
  readonly scrolledTo: number;
  readonly maxRows: number;
  readonly showCursorMarker: boolean;
  readonly borderColor: Paint;
  readonly renderBelow: (width: number) => string[];
}

/** How wide the rows of text are: a column stays free for the cursor behind the last character. */
export function textWidth(width: number, paddingX: number): number {
  const side = sidePadding(paddingX, width);
  return Math.max(1, width - side * 2 - (side > 0 ? 0 : 1));
}

/** Draws the text between two borders, and tells which row is at the top now. */
export function renderEditor(view: EditorView, width: number): { lines: string[]; top: number } {
  const { rows, maxRows } = view;
  const cursorRow = rowOf(rows, view.text.cursor);
  const lowest = Math.min(view.scrolledTo, cursorRow, Math.max(0, rows.length - maxRows));
  const top = Math.max(lowest, cursorRow - maxRows + 1);
  const visible = rows.slice(top, top + maxRows);
  const below = rows.length - top - visible.length;
  const side = sidePadding(view.paddingX, width);
  const margin = " ".repeat(side);
  const body = visible.map((row, index) => renderRow(view, row, top + index === cursorRow));
  const proposals = view.renderBelow(Math.max(0, width - side * 2));
  return {
    top,
    lines: [
      border(view.borderColor, top > 0 ? `─── ↑ ${top} more ` : "", width),
      ...body.map((line) => fitLine(margin + line, width)),
      border(view.borderColor, below > 0 ? `─── ↓ ${below} more ` : "", width),
      ...proposals.map((line) => fitLine(margin + line, width)),
    ],
  };
}

function border(paint: Paint, note: string, width: number): string {
  const line = truncateToWidth(note + "─".repeat(Math.max(0, width)), width, "");
  return line === "" ? "" : paint(line);
}

function renderRow(view: EditorView, row: Row, hasCursor: boolean): string {
  const { lines, cursor } = view.text;
  const line = lines[row.line] ?? "";
  if (!hasCursor) return line.slice(row.start, row.end);
  const segment = view.segment(line).find((part) => part.end > cursor.col);
  const end = Math.min(segment?.end ?? row.end, row.end);
  const before = line.slice(row.start, cursor.col);
  const under = line.slice(cursor.col, end) || " ";
  const marker = view.showCursorMarker ? CURSOR_MARKER : "";
  return `${before}${marker}${ESC}[7m${under}${ESC}[0m${line.slice(end, row.end)}`;
}
