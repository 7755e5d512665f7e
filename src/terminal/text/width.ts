import { splitEscapes } from "./escapes.ts";
import { graphemes, isPrintableAscii } from "./graphemes.ts";

/** A tab's width depends on where it stands, so every component draws it as this many columns. */
export const TAB_WIDTH = 3;

/** East Asian wide and fullwidth ranges. Emoji are recognised by their Unicode property instead. */
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f1e6, 0x1f1ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cc}\p{Default_Ignorable_Code_Point}\u1160-\u11ff]$/u;
const EMOJI = /^\p{Emoji_Presentation}/u;
const PICTOGRAPH_SEQUENCE = /^\p{Extended_Pictographic}.*(?:\ufe0f|\u200d|[\u{1f3fb}-\u{1f3ff}])/u;
const KEYCAP = /^[0-9#*]\ufe0f?\u20e3/u;

/** Columns one grapheme takes in a terminal. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme === "\t") return TAB_WIDTH;
  if (EMOJI.test(grapheme) || PICTOGRAPH_SEQUENCE.test(grapheme) || KEYCAP.test(grapheme)) return 2;
  // Terminals advance per code point: a cluster such as a Thai vowel after its consonant takes two.
  let width = 0;
  for (const char of grapheme) width += charWidth(char);
  return width;
}

function charWidth(char: string): number {
  if (ZERO_WIDTH.test(char)) return 0;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x1100) return 1;
  return WIDE.some(([from, to]) => code >= from && code <= to) || EMOJI.test(char) ? 2 : 1;
}

/** Columns a string takes, escape sequences not counted. */
export function visibleWidth(text: string): number {
  if (isPrintableAscii(text)) return text.length;
  let width = 0;
  for (const piece of splitEscapes(text)) {
    if (piece.kind === "escape") continue;
    if (isPrintableAscii(piece.text)) width += piece.text.length;
    else for (const grapheme of graphemes(piece.text)) width += graphemeWidth(grapheme);
  }
  return width;
}
