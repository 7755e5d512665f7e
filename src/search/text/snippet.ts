import { folded } from "./grams.ts";
import type { Term } from "./query.ts";

/** A part of a text, and where in it what was sought stands. */
export interface Snippet {
  readonly text: string;
  readonly hits: readonly (readonly [start: number, end: number])[];
}

/** How much is shown before the first hit. */
const BEFORE = 60;

/** The part of a text that has most of what is sought, in one line. */
export function snippetOf(text: string, sought: readonly string[], most: number): Snippet {
  const line = text.replace(/\s+/g, " ").trim();
  const all = hitsIn(line, sought);
  const start = bestStart(all, most);
  const from = wordStart(line, Math.max(0, start - BEFORE));
  const part = line.slice(from, from + most);
  const before = from > 0 ? "…" : "";
  const after = from + part.length < line.length ? "…" : "";
  const hits = all
    .filter(([at, end]) => at >= from && end <= from + part.length)
    .map(([at, end]) => [at - from + before.length, end - from + before.length] as const);
  return { text: before + part + after, hits };
}

/** What is looked for in a text to show where a term hit. */
export function soughtTexts(terms: readonly Term[]): string[] {
  return terms.flatMap(({ text }) => {
    const words =
      text.match(
        /[\p{L}\p{N}\p{M}]+|[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}]/gu,
      ) ?? [];
    // A phrase as it stands, or else the words of it.
    return words.length > 1 ? [text, ...words] : words;
  });
}

function hitsIn(line: string, sought: readonly string[]): [number, number][] {
  const inLine = folded(line);
  // Some letters are longer in lower case: then places in one are not places in the other.
  if (inLine.length !== line.length) return [];
  const found: [number, number][] = [];
  for (const one of sought) {
    const word = folded(one.replace(/\s+/g, " ").trim());
    if (word === "") continue;
    for (let at = inLine.indexOf(word); at >= 0; at = inLine.indexOf(word, at + word.length)) {
      found.push([at, at + word.length]);
      if (found.length > MOST_HITS) break;
    }
  }
  return merged(found);
}

const MOST_HITS = 500;

/** Without those that lie in others. */
function merged(hits: readonly [number, number][]): [number, number][] {
  const sorted = [...hits].sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const kept: [number, number][] = [];
  for (const hit of sorted) {
    const last = kept.at(-1);
    if (!last || hit[0] >= last[1]) kept.push(hit);
    else if (hit[1] > last[1]) last[1] = hit[1];
  }
  return kept;
}

/** The hit from which on most others are within reach. */
function bestStart(hits: readonly [number, number][], most: number): number {
  let best = 0;
  let count = 0;
  for (const [index, [at]] of hits.entries()) {
    let inReach = 0;
    while (hits[index + inReach] && (hits[index + inReach]?.[1] ?? 0) <= at - BEFORE + most)
      inReach++;
    if (inReach > count) {
      count = inReach;
      best = at;
    }
  }
  return best;
}

function wordStart(line: string, at: number): number {
  if (at === 0) return 0;
  const space = line.indexOf(" ", at);
  const from = space >= 0 && space < at + BEFORE / 2 ? space + 1 : at;
  // Never in the middle of a character that is two.
  const code = line.charCodeAt(from);
  return code >= 0xdc00 && code <= 0xdfff ? from + 1 : from;
}
