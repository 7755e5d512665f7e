import { type Cell, cellsOf } from "./cells.ts";
import { StyleState } from "./style-state.ts";
import { visibleWidth } from "./width.ts";

/**
 * Shortens a line to at most `maxWidth` columns and marks the cut with `ellipsis`.
 * Neither a grapheme nor an escape sequence is ever cut in two.
 *
 * @example truncateToWidth("hello world", 8) // "hello..."
 */
export function truncateToWidth(
  text: string,
  maxWidth: number,
  ellipsis = "...",
  pad = false,
): string {
  if (!(maxWidth > 0)) return "";
  const line = /\p{Cc}/u.test(text) ? joined(cellsOf(text)) : text;
  const width = visibleWidth(line);
  if (width <= maxWidth) return pad ? line + " ".repeat(maxWidth - width) : line;
  const tail = clip(ellipsis, maxWidth);
  const head = clip(line, maxWidth - tail.width);
  const missing = pad ? " ".repeat(maxWidth - head.width - tail.width) : "";
  return head.text + tail.text + missing;
}

/** The line cut or filled with spaces to exactly `width` columns. */
export function fitLine(line: string, width: number): string {
  return truncateToWidth(line, width, "", true);
}

function clip(text: string, maxWidth: number): { text: string; width: number } {
  const styles = new StyleState();
  let kept = "";
  let width = 0;
  for (const cell of cellsOf(text)) {
    if (width + cell.width > maxWidth) break;
    if (cell.escape) styles.apply(cell.text);
    kept += cell.text;
    width += cell.width;
  }
  return { text: kept + styles.close(), width };
}

function joined(cells: readonly Cell[]): string {
  return cells.map((cell) => cell.text).join("");
}
