export const ESC = "\u001b";
const BEL = "\u0007";

/**
 * One complete escape sequence: CSI, a string sequence (OSC, APC, DCS, PM, SOS) up to its
 * terminator, or a two-byte escape. Unfinished sequences do not match and count as text.
 */
const ESCAPE = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]_P^X][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`,
    `${ESC}[0-OQ-WYZ\\\\\`-~]`,
  ].join("|"),
  "g",
);

interface Piece {
  readonly kind: "escape" | "text";
  readonly text: string;
}

/** Cuts a string into escape sequences and the text between them, in order. */
export function splitEscapes(text: string): Piece[] {
  if (!text.includes(ESC)) return text === "" ? [] : [{ kind: "text", text }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    if (match.index > end) pieces.push({ kind: "text", text: text.slice(end, match.index) });
    pieces.push({ kind: "escape", text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: "text", text: text.slice(end) });
  return pieces;
}
