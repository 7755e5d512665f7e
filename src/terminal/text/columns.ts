import { type Cell, cellsOf } from "./cells.ts";
import { ESC, splitEscapes } from "./escapes.ts";
import { visibleWidth } from "./width.ts";

/** A text without anything that is not shown. */
export function stripTerminalSequences(text: string): string {
  return splitEscapes(text)
    .filter(({ kind }) => kind === "text")
    .map((piece) => piece.text)
    .join("");
}

/**
 * The columns from `start` on, with the styles that are in force there. `strict`: a wide character
 * that would stand out at the end is left out.
 */
export function sliceByColumn(line: string, start: number, length: number, strict = false): string {
  let result = "";
  let column = 0;
  for (const cell of cellsOf(line)) {
    const end = column + cell.width;
    if (cell.escape) result += column < start + length ? cell.text : "";
    else if (column >= start && column < start + length && (!strict || end <= start + length)) {
      result += cell.text;
    }
    column = end;
  }
  return result;
}

/** One line with another one laid over it from a column on. */
export function compositeTuiLine(
  base: string,
  overlay: string,
  start: number,
  overlayWidth: number,
  totalWidth: number,
): string {
  const fill = (text: string, width: number) =>
    text + " ".repeat(Math.max(0, width - visibleWidth(text)));
  const before = fill(sliceByColumn(base, 0, start, true), start);
  const middle = fill(sliceByColumn(overlay, 0, overlayWidth, true), overlayWidth);
  const rest = Math.max(0, totalWidth - start - overlayWidth);
  const after = sliceByColumn(base, start + overlayWidth, rest, true);
  return `${before}\u001b[0m${middle}\u001b[0m${fill(after, rest)}`;
}

const LINK = new RegExp(`^${ESC}\\]8;[^;]*;([^\u0007${ESC}]*)`);

/** The address of the link at a column, if there is one. */
export function getOsc8LinkAtColumn(line: string, column: number): string | undefined {
  let url: string | undefined;
  let at = 0;
  for (const cell of cellsOf(line)) {
    if (cell.escape) url = linkIn(cell, url);
    else if (column >= at && column < at + cell.width) return url;
    at += cell.width;
  }
  return undefined;
}

function linkIn({ text }: Cell, before: string | undefined): string | undefined {
  const [, url] = LINK.exec(text) ?? [];
  return url === undefined ? before : url || undefined;
}
