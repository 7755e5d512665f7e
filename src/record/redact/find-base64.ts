import { decodedText, startsLikeText, WRAPPED } from "./base64.ts";
import type { Run } from "./runs.ts";
import type { Span } from "./span.ts";

/** The kind of a secret in a text; undefined if there is none. */
export type KindIn = (text: string) => string | undefined;

const PIECE = /[A-Za-z0-9+/]{20,}={0,2}|[A-Za-z0-9_-]{20,}={0,2}/y;
/** Base64 begins at the start of a run, or after what joins it to a name. */
const JOINING = new Set([..."_.~:-="].map((char) => char.charCodeAt(0)));
const SHORTEST = 20;
const REST = /[A-Za-z0-9+/]{1,76}={0,2}/y;
const BREAK = /\r?\n/y;

/**
 * Secrets in text that was put into base64, also over several lines: whole files and settings are
 * handed on in this way. All of the base64 goes, for what is left of it could be read.
 */
export class Base64Search {
  readonly spans: Span[] = [];
  readonly #text: string;
  readonly #kindIn: KindIn;
  /** Where the lines that were looked at together end. */
  #done = 0;

  constructor(text: string, kindIn: KindIn) {
    this.#text = text;
    this.#kindIn = kindIn;
  }

  look({ start, end, isBase64 }: Run): void {
    if (start < this.#done) return;
    if (isBase64 && WRAPPED.has(end - start)) {
      const block = this.#blockAt(start, end);
      if (block > end) {
        this.#done = block;
        this.#search(start, block, this.#text.slice(start, block).replace(/[\r\n]+/g, ""));
        return;
      }
    }
    for (let at = start; at + SHORTEST <= end; at++) {
      const mayBegin = at === start || JOINING.has(this.#text.charCodeAt(at - 1));
      if (!mayBegin || !startsLikeText(this.#text, at)) continue;
      PIECE.lastIndex = at;
      const piece = PIECE.exec(this.#text)?.[0];
      if (piece === undefined) continue;
      this.#search(at, at + piece.length, piece);
      at += piece.length;
    }
  }

  /** The end of the last line of a block whose first line this is. */
  #blockAt(start: number, firstEnd: number): number {
    const width = firstEnd - start;
    let end = firstEnd;
    for (;;) {
      BREAK.lastIndex = end;
      if (!BREAK.test(this.#text)) return end;
      REST.lastIndex = BREAK.lastIndex;
      const line = REST.exec(this.#text)?.[0];
      if (line === undefined || line.length > width) return end;
      end = REST.lastIndex;
      if (line.length < width) return end;
    }
  }

  #search(start: number, end: number, base64: string): void {
    const text = decodedText(base64);
    const kind = text === undefined ? undefined : this.#kindIn(text);
    if (kind !== undefined) this.spans.push({ start, end, kind });
  }
}
