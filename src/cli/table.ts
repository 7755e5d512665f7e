import { visibleWidth, wrapTextWithAnsi } from "../terminal/index.ts";
import { lineWidth } from "./print.ts";

const GAP = "  ";
/** With less space than this, the last cell of a row gets lines of its own. */
const LEAST_COLUMNS = 24;

/**
 * Lines up the cells of rows. On a terminal the last cell of a row is wrapped within its column, so
 * that no line is longer than the terminal is wide; elsewhere every row is one line.
 */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, visibleWidth(cell));
  }
  return rows.flatMap((row) => {
    const last = row.at(-1) ?? "";
    const cells = row.slice(0, -1).map((cell, i) => padded(cell, widths[i] ?? 0) + GAP);
    return process.stdout.isTTY
      ? fitted(cells.join(""), last)
      : [(cells.join("") + last).trimEnd()];
  });
}

function fitted(start: string, last: string): string[] {
  const column = visibleWidth(start);
  const space = lineWidth() - column;
  if (visibleWidth(last) <= space) return [(start + last).trimEnd()];
  const isNarrow = space < LEAST_COLUMNS;
  const indent = isNarrow ? GAP + GAP : " ".repeat(column);
  const parts = wrapTextWithAnsi(last, lineWidth() - indent.length);
  const below = (part: string) => indent + part;
  if (isNarrow) return [start.trimEnd(), ...parts.map(below)];
  const [first = "", ...others] = parts;
  return [start + first, ...others.map(below)];
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(width - visibleWidth(cell), 0));
}
