import { hasWords, isSingleUnspaced, soughtWords } from "./words.ts";

/** Words beyond this number are ignored. */
const MOST_TERMS = 32;

/** A beginning has at least this many letters: too many words share a shorter one. */
const SHORTEST_BEGINNING = 3;

/** A word or a quoted phrase of a query. */
export interface Term {
  readonly text: string;
  /** Words that begin like it count too. */
  readonly isPrefix: boolean;
}

/** What a person typed: words, "phrases" and beginnings* of words. Everything else is plain text. */
export function termsOf(query: string): Term[] {
  const terms: Term[] = [];
  // FTS5 ends a query at the first of these.
  for (const [, phrase, word] of query.replaceAll("\0", " ").matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const text = (phrase ?? word ?? "").trim();
    const isPrefix = phrase === undefined && /[^*]\*+$/.test(text);
    const bare = isPrefix ? text.replace(/\*+$/, "") : text;
    const isLong = bare.length >= SHORTEST_BEGINNING;
    if (hasWords(bare)) terms.push({ text: bare, isPrefix: isPrefix && isLong });
    if (terms.length === MOST_TERMS) break;
  }
  return terms;
}

/** A term in the language of FTS5, in which all that is quoted is text. */
export function expressionOf({ text, isPrefix }: Term): string {
  const sought = `"${soughtWords(text).replaceAll('"', '""')}"`;
  return isPrefix || isSingleUnspaced(text) ? `${sought} *` : sought;
}
