import { type Segmenter, toSegments } from "../editing/segments.ts";
import { graphemes } from "../text/graphemes.ts";

const MAX_LINES = 10;
const MAX_CHARS = 1000;
/** What is longer is never edited by hand, and drawing it would take seconds for every key. */
const MAX_EDITED_CHARS = 100_000;
const MARKER = /\[paste #(\d+) (?:\+\d+ lines|\d+ chars)\]/g;

/** Keeps long pastes out of the editor: a short marker stands in the text for each of them. */
export class PasteStore {
  readonly #pastes = new Map<number, string>();

  /** The text to insert for a paste: the paste itself, or its marker if it is long. */
  shorten(text: string): string {
    const lines = text.split("\n").length;
    if (lines <= MAX_LINES && text.length <= MAX_CHARS) return text;
    const id = this.#idOf(text);
    return lines > MAX_LINES
      ? `[paste #${id} +${lines} lines]`
      : `[paste #${id} ${text.length} chars]`;
  }

  /** The same for a text that comes back to be edited, such as an earlier prompt. */
  shortenEdited(text: string): string {
    return text.length > MAX_EDITED_CHARS ? this.shorten(text) : text;
  }

  /** A text that comes back again and again is kept once. */
  #idOf(text: string): number {
    for (const [id, kept] of this.#pastes) if (kept === text) return id;
    const id = this.#pastes.size + 1;
    this.#pastes.set(id, text);
    return id;
  }

  expand(text: string): string {
    return text.replace(MARKER, (marker, id: string) => this.#pastes.get(Number(id)) ?? marker);
  }

  clear(): void {
    this.#pastes.clear();
  }

  /** The cursor treats a marker as one character: half of it would stand for nothing. */
  readonly segment: Segmenter = (line) => {
    const texts: string[] = [];
    let end = 0;
    for (const match of line.matchAll(MARKER)) {
      if (!this.#pastes.has(Number(match[1]))) continue;
      texts.push(...graphemes(line.slice(end, match.index)), match[0]);
      end = match.index + match[0].length;
    }
    return toSegments([...texts, ...graphemes(line.slice(end))]);
  };
}
