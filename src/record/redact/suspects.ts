import { withoutColours } from "./colours.ts";
import { type Additions, findSecrets } from "./find-secrets.ts";
import type { Search } from "./key-rules.ts";
import { withoutPercent } from "./percent.ts";
import type { Doubt } from "./span.ts";
import { HIDING_ESCAPE } from "./unescape.ts";

const LENGTH = 64 * 1024;
/** Enough of every secret to see that it is one. */
const SHARED = 4 * 1024;

/**
 * The parts of a JSON text in which something is found as it stands. The rest, which is nearly
 * everything, needs no closer look: not at its strings, not at their escapes.
 */
export function findSuspects(
  bytes: Buffer,
  start: number,
  end: number,
  additions: Additions,
): Doubt[] {
  const suspects: Doubt[] = [];
  for (let from = start; from < end; from += LENGTH - SHARED) {
    const to = Math.min(end, from + LENGTH);
    if (mayHold(bytes.toString("latin1", from, to), additions)) {
      suspects.push({ start: from, end: to });
    }
    if (to === end) break;
  }
  return suspects;
}

/** The parts are in order, so those around a place are found without a look at all. */
export function touches(
  suspects: readonly Doubt[] | undefined,
  start: number,
  end: number,
): boolean {
  if (!suspects) return true;
  let low = 0;
  let high = suspects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((suspects[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const next = suspects[low];
  return next !== undefined && next.start < end;
}

function mayHold(raw: string, additions: Additions): boolean {
  if (HIDING_ESCAPE.test(raw)) return true;
  if (additions.hidesInEscapes && raw.includes("\\")) return true;
  if (findsSome(raw, additions)) return true;
  const shown = withoutColours(raw);
  if (shown !== undefined && findsSome(shown.text, additions)) return true;
  const plain = withoutPercent(raw);
  return plain !== undefined && findsSome(plain.text, additions, "named");
}

function findsSome(text: string, additions: Additions, search: Search = "all"): boolean {
  const { spans, doubts, namesSome } = findSecrets(text, search, additions);
  return namesSome || spans.length > 0 || doubts.length > 0;
}
