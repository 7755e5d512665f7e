import { splitEscapes } from "./escapes.ts";
import { graphemes } from "./graphemes.ts";
import { graphemeWidth, TAB_WIDTH } from "./width.ts";

/** The smallest thing that may be moved to another line: a grapheme, or a whole escape sequence. */
export interface Cell {
  readonly escape: boolean;
  readonly text: string;
  readonly width: number;
}

/** Control characters and the start of an escape sequence that never ends. */
const STRAY_CONTROL = /^[^\P{Cc}\n]$/u;

/**
 * Tabs become spaces here, because a tab that moved would change its width. Stray control
 * characters are left out: half an escape sequence would swallow what is written behind it.
 */
export function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const piece of splitEscapes(text.replaceAll("\t", " ".repeat(TAB_WIDTH)))) {
    if (piece.kind === "escape") {
      cells.push({ escape: true, text: piece.text, width: 0 });
      continue;
    }
    for (const grapheme of graphemes(piece.text)) {
      if (STRAY_CONTROL.test(grapheme)) continue;
      cells.push({ escape: false, text: grapheme, width: graphemeWidth(grapheme) });
    }
  }
  return cells;
}
