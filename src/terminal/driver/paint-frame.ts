import { ESC, splitEscapes } from "../text/escapes.ts";
import { StyleState } from "../text/style-state.ts";
import { visibleWidth } from "../text/width.ts";
import type { Frame } from "./frame.ts";

const RESET = `${ESC}[0m`;
const ERASE_REST = `${ESC}[K`;
/** Below this many changed rows, writing them is as short as moving them. */
const FEW_ROWS = 3;

const STYLE = new RegExp(`^${ESC}(?:\\[[\\d;:]*m|\\]8;[^\u0007${ESC}]*(?:\u0007|${ESC}\\\\))`);
const DOUBTFUL_WIDTH = /[\ud800-\udfff]|\u200d|\ufe0f/;
const BEGUN_STYLE = new RegExp(`^${ESC}\\[[\\d;:]*$`);

const goTo = (row: number, column: number) => `${ESC}[${row + 1};${column + 1}H`;

/**
 * What has to be written so that a screen that shows `before` shows `next`. Empty: nothing. With a
 * scrollback that is used, nothing is written that would put a row into it by the way: some terminals
 * keep what is erased all at once, what a region that begins at the top pushes out, or, as tmux does, what
 * scrolls out of any region. Rows that are deleted are kept by none.
 */
export function paintFrame(before: Frame | undefined, next: Frame, hasScrollback = false): string {
  if (!before || before.columns !== next.columns || before.lines.length !== next.lines.length) {
    const erase = hasScrollback ? eraseRows(next.lines.length) : `${ESC}[2J`;
    return `${hide(undefined)}${RESET}${erase}${changedRows([], next)}${showCursor(next)}`;
  }
  const moved = moveRows(before.lines, next.lines, hasScrollback);
  const painted = moved.bytes + changedRows(moved.lines, next);
  if (painted === "") return isSameCursor(before, next) ? "" : showCursor(next);
  return hide(before) + painted + showCursor(next);
}

/** The lines of a frame one after the other, for a terminal that scrolls. */
export function printFrame({ lines }: Frame): string {
  return lines.map((line) => `${line}${line.includes(ESC) ? RESET : ""}\n`).join("");
}

/**
 * Pushes lines over the upper edge, where the terminal keeps them: they are painted on the first rows,
 * and the whole screen moves up. Also tells what the screen shows after that.
 */
export function scrollOut(
  before: Frame,
  lines: readonly string[],
): { readonly bytes: string; readonly shown: Frame } {
  const rows = before.lines.length;
  let bytes = hide(before) + RESET;
  let shown: readonly string[] = before.lines;
  for (let at = 0; at < lines.length; at += rows) {
    const chunk = lines.slice(at, at + rows);
    const painted = [...chunk, ...shown.slice(chunk.length)];
    bytes += changedRows(shown, { columns: before.columns, lines: painted });
    bytes += scrollRows(rows, chunk.length);
    shown = [...painted.slice(chunk.length), ...chunk.map(() => "")];
  }
  return { bytes, shown: { columns: before.columns, lines: shown } };
}

/** Moves the whole screen up, as a program does that prints lines at its end. */
export function scrollRows(rows: number, by: number): string {
  return goTo(rows - 1, 0) + "\n".repeat(by);
}

/** Empties the screen row by row, and goes to its beginning. */
export function eraseRows(rows: number): string {
  const each = Array.from({ length: rows }, (_, row) => `${goTo(row, 0)}${ESC}[2K`);
  return each.join("") + goTo(0, 0);
}

function hide(before: Frame | undefined): string {
  return before && !before.isCursorShown ? "" : `${ESC}[?25l`;
}

function showCursor({ cursor, isCursorShown }: Frame): string {
  if (!cursor) return "";
  return goTo(cursor.row, cursor.column) + (isCursorShown ? `${ESC}[?25h` : "");
}

function isSameCursor(a: Frame, b: Frame): boolean {
  const isSamePlace = a.cursor?.row === b.cursor?.row && a.cursor?.column === b.cursor?.column;
  return isSamePlace && a.isCursorShown === b.isCursorShown;
}

function changedRows(before: readonly string[], { lines, columns }: Frame): string {
  let bytes = "";
  for (const [row, line] of lines.entries()) {
    const old = before[row] ?? "";
    if (line !== old) bytes += changedLine(old, line, row, columns);
  }
  return bytes;
}

/** Writes a line from the first place at which it differs. */
function changedLine(old: string, line: string, row: number, columns: number): string {
  const same = sameStart(old, line);
  const start = line.slice(0, same);
  const styles = new StyleState();
  for (const piece of splitEscapes(start)) if (piece.kind === "escape") styles.apply(piece.text);
  const rest = line.slice(same);
  const end = line.includes(ESC) ? RESET : "";
  const erase = visibleWidth(line) < columns && old !== "" ? ERASE_REST : "";
  return goTo(row, visibleWidth(start)) + styles.open() + rest + end + erase;
}

/**
 * How much two lines have in common at their start, cut so that neither an escape sequence nor a
 * character of several code points is taken apart: the cut is between two plain ASCII characters.
 */
function sameStart(old: string, line: string): number {
  const most = Math.min(old.length, line.length);
  let same = 0;
  while (same < most && old.charCodeAt(same) === line.charCodeAt(same)) same++;
  // Terminals do not agree on the width of emoji: behind one, nobody knows the column.
  const doubtful = line.slice(0, same).search(DOUBTFUL_WIDTH);
  if (doubtful !== -1) same = doubtful;
  const opened = line.lastIndexOf(ESC, same);
  const sequence = opened === -1 ? null : STYLE.exec(line.slice(opened));
  if (sequence && opened + sequence[0].length > same) same = opened;
  while (same > 0 && !(isPlain(line, same - 1) && isPlain(line, same) && isPlain(old, same))) {
    same--;
    const back = line.lastIndexOf(ESC, same);
    // Inside of an escape sequence there is no place to cut.
    if (back !== -1 && same > back && BEGUN_STYLE.test(line.slice(back, same))) same = back;
  }
  return same;
}

function isPlain(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code < 0x7f && code >= 0x1b;
}

/** Lets the terminal move rows that only changed their place: new lines at the end push up the others. */
function moveRows(
  before: readonly string[],
  next: readonly string[],
  hasScrollback: boolean,
): { readonly bytes: string; readonly lines: readonly string[] } {
  const stays = { bytes: "", lines: before };
  let top = 0;
  while (top < next.length && before[top] === next[top]) top++;
  let bottom = next.length;
  while (bottom > top && before[bottom - 1] === next[bottom - 1]) bottom--;
  const height = bottom - top;
  if (height <= FEW_ROWS) return stays;
  const gain = (by: number) => {
    let same = 0;
    for (let row = top; row < bottom; row++) {
      const from = row + by;
      const line = next[row];
      if (from >= top && from < bottom && line !== "" && line === before[from]) same++;
      else if (line !== "" && line === before[row]) same--;
    }
    return same;
  };
  let best = 0;
  let most = FEW_ROWS - 1;
  for (let by = 1 - height; by < height; by++) {
    if (by === 0) continue;
    const same = gain(by);
    if (same > most) [best, most] = [by, same];
  }
  if (best === 0 || (hasScrollback && top === 0 && best > 0)) return stays;
  const lines = [...before];
  for (let row = top; row < bottom; row++) {
    const from = row + best;
    lines[row] = from >= top && from < bottom ? (before[from] ?? "") : "";
  }
  const up = hasScrollback ? `${goTo(top, 0)}${ESC}[${best}M` : `${ESC}[${best}S`;
  const move = best > 0 ? up : `${ESC}[${-best}T`;
  return { bytes: `${RESET}${ESC}[${top + 1};${bottom}r${move}${ESC}[r`, lines };
}
