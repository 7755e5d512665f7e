import type { Paint } from "../text/background.ts";
import { fitLine } from "../text/truncate.ts";
import { visibleWidth } from "../text/width.ts";
import { wrapTextWithAnsi } from "../text/wrap.ts";
import type { MarkdownTheme } from "./markdown-theme.ts";
import { renderInline } from "./render-inline.ts";

/** Columns the frame takes per cell (a line and a space on each side), and the line at the end. */
const FRAME_PER_CELL = 3;
const FRAME_END = 1;
const MIN_COLUMN = 3;

/** Draws a table with a frame. Cells that do not fit are broken into several lines. */
export function renderTable(
  rows: readonly (readonly string[])[],
  width: number,
  theme: MarkdownTheme,
  base: Paint,
): string[] {
  const columns = rows[0]?.length ?? 0;
  const room = width - FRAME_PER_CELL * columns - FRAME_END;
  if (room < columns * MIN_COLUMN) {
    // Too narrow for columns: one row after the other says more than a mangled grid.
    const text = rows.map((row) => renderInline(row.join(" | "), theme, base)).join("\n");
    return wrapTextWithAnsi(text, width);
  }
  const header: Paint = (text) => theme.bold(base(text));
  const cells = rows.map((row, index) =>
    row.map((cell) => renderInline(cell, theme, index === 0 ? header : base)),
  );
  const widths = shrink(naturalWidths(cells, columns), room);
  const frame = (left: string, middle: string, right: string) =>
    left + widths.map((size) => "─".repeat(size + 2)).join(middle) + right;
  const [head = [], ...body] = cells.map((row) => renderRow(row, widths));
  const between = frame("├", "┼", "┤");
  return [
    frame("┌", "┬", "┐"),
    ...head,
    ...body.flatMap((row) => [between, ...row]),
    frame("└", "┴", "┘"),
  ];
}

function naturalWidths(cells: readonly (readonly string[])[], columns: number): number[] {
  return Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...cells.map((row) => visibleWidth(row[column] ?? ""))),
  );
}

/** Takes columns away where there are most of them, until all fit. */
function shrink(widths: number[], room: number): number[] {
  const fair = Math.max(1, Math.floor(room / widths.length));
  const total = widths.reduce((sum, size) => sum + size, 0);
  if (total <= room) return widths;
  // Narrow columns keep their width; what they leave over is shared by the wide ones.
  const narrow = widths.filter((size) => size <= fair);
  if (narrow.length === 0) return widths.map(() => fair);
  const left = room - narrow.reduce((sum, size) => sum + size, 0);
  const wide = shrink(
    widths.filter((size) => size > fair),
    left,
  );
  return widths.map((size) => (size <= fair ? size : (wide.shift() ?? fair)));
}

function renderRow(row: readonly string[], widths: readonly number[]): string[] {
  const wrapped = row.map((cell, column) => wrapTextWithAnsi(cell, widths[column] ?? 1));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = widths.map((size, column) => fitLine(wrapped[column]?.[line] ?? "", size));
    return `│ ${parts.join(" │ ")} │`;
  });
}
