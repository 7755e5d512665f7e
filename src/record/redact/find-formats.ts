import { startsHere } from "./boundary.ts";
import { FORMATS, type SecretFormat } from "./formats.ts";
import type { Doubt, Span } from "./span.ts";

const ANY = new RegExp(FORMATS.map(({ pattern }) => `(?:${pattern})`).join("|"), "g");
const EACH = FORMATS.map((format) => ({ format, regexp: new RegExp(format.pattern, "y") }));
const LONGEST_BEFORE = 32;
/**
 * Every place at which a secret could begin is looked at up to the end of what is searched at once:
 * in long runs that is not the end of the run. Almost all secrets are shorter than what is shared.
 */
const PIECE = 4 * 1024;
const SHARED = 2 * 1024;

/**
 * Secrets of a known shape in one run of the text. `doubts`: where the shape fits and a closer look
 * said no.
 */
export function findFormats(
  text: string,
  start: number,
  end: number,
  doubts: Doubt[] = [],
): Span[] {
  const spans: Span[] = [];
  for (let from = start; ; from += PIECE - SHARED) {
    const to = Math.min(end, from + PIECE);
    for (const span of inPiece(text, from, to, doubts)) {
      // What hangs on a secret goes with it.
      spans.push(span.end === to && to < end ? { ...span, end } : span);
    }
    if (to === end) return spans;
  }
}

function inPiece(text: string, start: number, end: number, doubts: Doubt[]): Span[] {
  const run = text.slice(start, end);
  const spans: Span[] = [];
  ANY.lastIndex = 0;
  for (let match = ANY.exec(run); match; match = ANY.exec(run)) {
    const span = spanOf(text, start + match.index, run, match.index);
    if (span) {
      spans.push(span);
      ANY.lastIndex = span.end - start;
    } else {
      doubts.push({ start: start + match.index, end: start + match.index + match[0].length });
      ANY.lastIndex = match.index + 1;
    }
  }
  return spans;
}

/** The formats in the order of the table: an earlier one that fits names the kind. */
function spanOf(text: string, at: number, run: string, atInRun: number): Span | undefined {
  for (const { format, regexp } of EACH) {
    regexp.lastIndex = atInRun;
    const match = regexp.exec(run)?.[0];
    if (match === undefined || format.accept?.(match) === false) continue;
    const start = startOf(format, text, at);
    if (start !== undefined) return { start, end: at + match.length, kind: format.kind };
  }
  return undefined;
}

function startOf({ before }: SecretFormat, text: string, at: number): number | undefined {
  if (!before) return startsHere(text, at) ? at : undefined;
  const found = before.exec(text.slice(Math.max(0, at - LONGEST_BEFORE), at));
  return found ? at - found[0].length : undefined;
}
