import { stripTerminalSequences } from "../../terminal/index.ts";

const NO_LETTER = /[^\p{L}\p{N}]/gu;

/**
 * The line of a text that is drawn anew, perhaps for another width, at which it goes on as it did at `line`
 * before. Wrapped text keeps its letters, and text that is cut off at the edge its lines; which of them it is
 * cannot be seen, so the first of the lines that may be meant counts: nothing is left out.
 */
export function sameLine(before: readonly string[], line: number, now: readonly string[]): number {
  const had = letters(before.slice(0, line));
  const left = letters(before.slice(line));
  let byStart = 0;
  for (let seen = 0; byStart < now.length; byStart++) {
    seen += letters(now.slice(byStart, byStart + 1));
    if (seen > had) break;
  }
  let byEnd = now.length;
  for (let seen = 0; byEnd > 0 && seen < left; byEnd--)
    seen += letters(now.slice(byEnd - 1, byEnd));
  const byLines = now.length - (before.length - line);
  return Math.max(0, Math.min(byStart, byEnd, byLines));
}

function letters(lines: readonly string[]): number {
  return lines.reduce(
    (count, text) => count + stripTerminalSequences(text).replace(NO_LETTER, "").length,
    0,
  );
}
