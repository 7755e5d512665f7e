/**
 * Each three characters become one of this many numbers. Several can share one, so hits are
 * verified on the text.
 */
const BITS = 20;
const MASK = (1 << BITS) - 1;
/** Four letters for each number. */
const LETTERS = Buffer.from("abcdefghijklmnopqrstuvwxyz234567", "latin1");
const TOKEN = 5;
const SHORTEST = 3;

/** What the two sides of a comparison of texts have to be. */
export function folded(text: string): string {
  return text.toLowerCase();
}

/**
 * The trigrams of texts, each once, as words for an index that knows only in which rows a word is.
 * FTS5's own tokeniser for trigrams gives every one again and again: with it the same index takes
 * ten times as long to write.
 */
export class GramWriter {
  readonly #seen = new Uint32Array(1 << (BITS - 5));
  #out: Buffer = Buffer.allocUnsafe(64 * 1024);
  #touched: number[] = [];
  #length = 0;

  add(text: string): void {
    const all = folded(text);
    const most = this.#length + all.length * TOKEN;
    if (most > this.#out.length) {
      const longer = Buffer.allocUnsafe(most * 2);
      this.#out.copy(longer, 0, 0, this.#length);
      this.#out = longer;
    }
    let first = all.charCodeAt(0);
    let second = all.charCodeAt(1);
    for (let at = 2; at < all.length; at++) {
      const third = all.charCodeAt(at);
      const gram = gramOf(first, second, third);
      first = second;
      second = third;
      const word = gram >>> 5;
      const bit = 1 << (gram & 31);
      const known = this.#seen[word] ?? 0;
      if ((known & bit) !== 0) continue;
      if (known === 0) this.#touched.push(word);
      this.#seen[word] = known | bit;
      this.#write(gram);
    }
  }

  /** What was added since the last time. */
  take(): string {
    const words = this.#out.toString("latin1", 0, this.#length);
    for (const word of this.#touched) this.#seen[word] = 0;
    this.#touched = [];
    this.#length = 0;
    return words;
  }

  #write(gram: number): void {
    const out = this.#out;
    const at = this.#length;
    out[at] = LETTERS[gram >>> 15] ?? 0;
    out[at + 1] = LETTERS[(gram >>> 10) & 31] ?? 0;
    out[at + 2] = LETTERS[(gram >>> 5) & 31] ?? 0;
    out[at + 3] = LETTERS[gram & 31] ?? 0;
    out[at + 4] = 0x20;
    this.#length = at + TOKEN;
  }
}

/** An expression for rows that have all trigrams of a text; undefined if it is too short for one. */
export function gramsSought(text: string): string | undefined {
  if (folded(text).length < SHORTEST) return undefined;
  const writer = new GramWriter();
  writer.add(text);
  return writer
    .take()
    .trimEnd()
    .split(" ")
    .slice(0, MOST_SOUGHT)
    .map((word) => `"${word}"`)
    .join(" AND ");
}

/** More trigrams than this do not narrow the search any further. */
const MOST_SOUGHT = 48;

function gramOf(first: number, second: number, third: number): number {
  const mixed =
    Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & MASK;
}
