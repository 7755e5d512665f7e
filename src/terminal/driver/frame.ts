import { CURSOR_MARKER } from "../component.ts";
import { ESC, splitEscapes } from "../text/escapes.ts";
import { StyleState } from "../text/style-state.ts";
import { truncateToWidth } from "../text/truncate.ts";
import { visibleWidth } from "../text/width.ts";

/** What stands on the screen: one line for each row, and where the cursor is. */
export interface Frame {
  readonly columns: number;
  readonly lines: readonly string[];
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
  /** Most components draw a cursor of their own; input methods only need to know where it is. */
  readonly isCursorShown?: boolean;
}

const KEPT = new RegExp(`^${ESC}(?:\\[[\\d;:]*m|\\]8;)`);
const ONLY_STYLES = new RegExp(`^(?:[^\\p{Cc}]|${ESC}\\[[\\d;:]*m)*$`, "u");

/** Lines as they were given, and what was made of them: most are the same in the next frame. */
type Seen = Map<string, { readonly line: string; readonly column?: number }>;

/**
 * Makes a frame out of the lines that components drew. Whatever they drew, a line stays a line: it
 * is cut at the width, and nothing in it moves the cursor or changes the terminal.
 */
export class FrameMaker {
  #seen: Seen = new Map();
  #columns = 0;

  make(lines: readonly string[], columns: number, rows: number): Frame {
    const known = this.#columns === columns ? this.#seen : new Map();
    const seen: Seen = new Map();
    let cursor: Frame["cursor"];
    const made: string[] = [];
    for (let row = 0; row < rows; row++) {
      const given = lines[row] ?? "";
      const one = known.get(given) ?? settle(given, columns);
      seen.set(given, one);
      made.push(one.line);
      if (one.column !== undefined) cursor = { row, column: one.column };
    }
    this.#seen = seen;
    this.#columns = columns;
    return { columns, lines: made, cursor };
  }
}

function settle(given: string, columns: number): { line: string; column?: number } {
  const at = given.indexOf(CURSOR_MARKER);
  const text = at === -1 ? given : given.replaceAll(CURSOR_MARKER, "");
  const safe = ONLY_STYLES.test(text) ? text : withoutCommands(text);
  const cut = visibleWidth(safe) > columns ? truncateToWidth(safe, columns, "") : safe;
  const line = cut.endsWith(" ") ? withoutEmptyEnd(cut) : cut;
  if (at === -1) return { line };
  const column = visibleWidth(withoutCommands(given.slice(0, at)));
  return { line, column: Math.min(column, Math.max(0, columns - 1)) };
}

/** Spaces at the end that nobody sees are not worth writing: the rest of a row is empty anyway. */
function withoutEmptyEnd(line: string): string {
  const styles = new StyleState();
  for (const piece of splitEscapes(line)) if (piece.kind === "escape") styles.apply(piece.text);
  return styles.open() === "" ? line.replace(/ +$/, "") : line;
}

/** Colours and links stay; what moves the cursor, erases or asks the terminal something does not. */
function withoutCommands(text: string): string {
  return splitEscapes(text)
    .map((piece) => {
      if (piece.kind === "escape") return KEPT.test(piece.text) ? piece.text : "";
      return piece.text.replaceAll("\t", "   ").replace(/\p{Cc}/gu, "");
    })
    .join("");
}
