import { statSync } from "node:fs";
import type { Located, TranscriptFormat } from "../../agents/index.ts";
import { pageOf } from "./page-of.ts";
import { isBefore, parseKey } from "./piece-key.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import { SessionFacts } from "./session-facts.ts";
import { isShown } from "./session-index.ts";
import type { PageWish, PiecesPage, RawText, ResultPiece, SessionSource } from "./source.ts";

/** A transcript that is one document or lies in a database: it is read whole, and kept. */
export class DocumentSource implements SessionSource {
  readonly file: string;
  readonly #read: () => Promise<readonly Located[]>;
  #located: readonly Located[] = [];
  #pieces: readonly Piece[] = [];
  #results = new Map<string, ResultPiece>();
  #facts = new SessionFacts();
  #stamp = "";

  constructor(file: string, format: TranscriptFormat) {
    this.file = file;
    this.#read = async () => {
      const located: Located[] = [];
      for await (const one of format.entries?.(file, 0) ?? []) located.push(one);
      return located;
    };
  }

  size(): number {
    return statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
  }

  async refresh(): Promise<void> {
    const stats = statSync(this.file, { throwIfNoEntry: false });
    const stamp = stats ? `${stats.size} ${stats.mtimeMs}` : "";
    // What is no file of its own, such as a row of a database, is read every time.
    if (stamp !== "" && stamp === this.#stamp) return;
    this.#located = await this.#read();
    this.#stamp = stamp;
    this.#facts = new SessionFacts();
    this.#results = new Map();
    const pieces: Piece[] = [];
    for (const [position, entries] of byPosition(this.#located)) {
      this.#facts.note(entries);
      for (const piece of piecesOf({}, entries, { offset: position, line: position })) {
        pieces.push(piece);
        this.#count(piece);
      }
    }
    this.#pieces = pieces;
  }

  get indexed(): number {
    return 1;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  page(wish: PageWish): PiecesPage {
    const all = this.#pieces.filter((piece) =>
      wish.child === undefined
        ? isShown(piece)
        : piece.kind !== "result" && piece.child === wish.child,
    );
    return { ...pageOf(all, wish), results: this.#results };
  }

  turn(key?: string): PiecesPage {
    const place = (key !== undefined && parseKey(key)) || { offset: Number.MAX_SAFE_INTEGER, n: 0 };
    const isPrompt = (piece: Piece) => piece.kind === "prompt" && isShown(piece);
    const from = this.#pieces.findLastIndex((one) => isPrompt(one) && !isBefore(place, one));
    const start = Math.max(0, from);
    const next = this.#pieces.findIndex((piece, at) => at > start && isPrompt(piece));
    const pieces = this.#pieces.slice(start, next === -1 ? undefined : next);
    const [first, over] = [pieces[0]?.offset ?? 0, this.#pieces[next]?.offset];
    const usages = this.#located.flatMap(({ position, entry }) =>
      position >= first && position < (over ?? position + 1) && entry.inSubagent === undefined
        ? entry.usage
          ? [{ ...entry.usage, ...(entry.model !== undefined && { model: entry.model }) }]
          : []
        : [],
    );
    return { pieces, results: this.#results, usages, hasBefore: start > 0, hasAfter: next !== -1 };
  }

  raw(key: string): RawText | undefined {
    const place = parseKey(key);
    const entries = this.#located.filter(({ position }) => position === place?.offset);
    if (!place || entries.length === 0) return undefined;
    const text = JSON.stringify(
      entries.map(({ entry }) => entry),
      null,
      2,
    );
    return { text, offset: place.offset };
  }

  #count(piece: Piece): void {
    if (piece.kind === "result") {
      const { callId } = piece.entry.tool ?? {};
      if (callId !== undefined) this.#results.set(callId, piece);
      this.#facts.result(piece);
    }
    if (isShown(piece)) this.#facts.count(piece);
  }
}

function byPosition(located: readonly Located[]): Map<number, Located["entry"][]> {
  const found = new Map<number, Located["entry"][]>();
  for (const { position, entry } of located) {
    const there = found.get(position);
    if (there) there.push(entry);
    else found.set(position, [entry]);
  }
  return found;
}
