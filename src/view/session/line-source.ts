import {
  type EntryUsage,
  type LineFormat,
  openReadable,
  type ReadableFile,
} from "../../agents/index.ts";
import { fileLines, lineBefore } from "./line-file.ts";
import { LineReader } from "./line-reader.ts";
import { NOTHING, pageOf } from "./page-of.ts";
import { isBefore, parseKey } from "./piece-key.ts";
import type { Piece } from "./pieces.ts";
import { isShown, type Mark, SessionIndex } from "./session-index.ts";
import type { PageWish, PiecesPage, RawText, ResultPiece, SessionSource } from "./source.ts";

/** What is read at first to find the last entries; doubled until there are enough. */
const TAIL = 128 * 1024;
/** So much is read after a page to find what came back from its calls. */
const RESULTS_WITHIN = 4 * 1024 * 1024;
/** No turn is read further than that. */
const LONGEST_TURN = 64 * 1024 * 1024;
const MOST_RAW = 2 * 1024 * 1024;

interface Stretch {
  readonly pieces: readonly Piece[];
  readonly usages: readonly (EntryUsage & { readonly offset: number; readonly model?: string })[];
  readonly end: number;
  readonly reader: LineReader;
}

type Place = { readonly offset: number; readonly n: number };

/** A transcript of one record a line. Pages are read from the file when they are asked for. */
export class LineSource implements SessionSource {
  readonly file: string;
  readonly #format: LineFormat;
  readonly #open: () => ReadableFile;
  readonly #index: SessionIndex;

  constructor(file: string, format: LineFormat, open = () => openReadable(file)) {
    this.file = file;
    this.#format = format;
    this.#open = open;
    this.#index = new SessionIndex(format, open);
  }

  size(): number {
    return this.#withFile((_, size) => size);
  }

  refresh(): Promise<void> {
    return this.#index.update();
  }

  get indexed(): number {
    return this.#index.offset === 0 && !this.#index.isRunning ? 0 : this.#index.done;
  }

  get facts() {
    return this.#index.facts;
  }

  page(wish: PageWish): PiecesPage {
    return this.#withFile((file, size) => this.#pageIn(file, size, wish));
  }

  turn(key?: string): PiecesPage {
    return this.#withFile((file, size) => {
      const place = (key !== undefined && parseKey(key)) || { offset: size, n: 0 };
      const from = this.#promptBefore(file, place);
      const stretch = this.#read(file, from, Math.min(size, from + LONGEST_TURN));
      const { pieces } = stretch;
      const next = pieces.findIndex(
        (piece, at) => at > 0 && piece.kind === "prompt" && isShown(piece) && piece.offset > from,
      );
      const turn = next === -1 ? pieces : pieces.slice(0, next);
      const results = this.#results(file, turn, stretch, size);
      const over = pieces[next]?.offset ?? Number.POSITIVE_INFINITY;
      const usages = stretch.usages.filter(({ offset }) => offset < over);
      return { pieces: turn, results, usages, hasBefore: from > 0, hasAfter: next !== -1 };
    });
  }

  raw(key: string): RawText | undefined {
    const place = parseKey(key);
    if (!place) return undefined;
    return this.#withFile((file, size) => {
      if (place.offset >= size) return undefined;
      const until = Math.min(size, place.offset + MOST_RAW);
      const [line] = fileLines(file, place.offset, until);
      if (!line) return undefined;
      const isCut = line.isOpen === true && until < size;
      const whole = isCut ? (fileLines(file, place.offset, size).next().value ?? line) : line;
      const text = line.bytes.toString("utf8");
      return { text, offset: place.offset, ...(isCut && { of: whole.end - place.offset }) };
    });
  }

  #pageIn(file: ReadableFile, size: number, wish: PageWish): PiecesPage {
    if (wish.child !== undefined) return this.#ofChild(file, size, wish, wish.child);
    const isWanted = isShown;
    const around =
      wish.around === undefined ? this.#placeOf(file, size, wish.line) : parseKey(wish.around);
    if (around) {
      const half = Math.ceil(wish.limit / 2);
      const before = this.#before(file, size, around, half, isWanted);
      const after = this.#after(file, size, around, wish.limit - half, isWanted, true);
      const results = new Map([...before.results, ...after.results]);
      return this.#counted({
        pieces: [...before.pieces, ...after.pieces],
        results,
        hasBefore: before.hasBefore,
        hasAfter: after.hasAfter,
      });
    }
    const after = wish.after === undefined ? undefined : parseKey(wish.after);
    if (after) return this.#counted(this.#after(file, size, after, wish.limit, isWanted, false));
    if (wish.at !== undefined)
      return this.#counted(this.#fromEntry(file, size, wish.at, wish.limit));
    const end = (wish.before !== undefined && parseKey(wish.before)) || { offset: size, n: 0 };
    return this.#counted(this.#before(file, size, end, wish.limit, isWanted));
  }

  /** A child stands in one stretch of its parent's file. */
  #ofChild(file: ReadableFile, size: number, wish: PageWish, child: string): PiecesPage {
    const range = this.#index.children.get(child);
    if (!range) return NOTHING;
    const until = Math.min(this.#endOfLine(file, range.to, size), range.from + LONGEST_TURN);
    const stretch = this.#read(file, range.from, until);
    const all = stretch.pieces.filter((one) => one.kind !== "result" && one.child === child);
    const page = pageOf(all, wish);
    return { ...page, results: this.#results(file, page.pieces, stretch, size) };
  }

  /** The last pieces before a place. */
  #before(
    file: ReadableFile,
    size: number,
    place: Place,
    limit: number,
    isWanted: (piece: Piece) => boolean,
  ): PiecesPage {
    // The line of the place itself may hold pieces before it.
    const end =
      place.n > 0 ? this.#endOfLine(file, place.offset, size) : Math.min(place.offset, size);
    for (let bytes = TAIL; ; bytes *= 2) {
      const from = end === 0 ? 0 : lineBefore(file, end, bytes);
      const stretch = this.#read(file, from, end);
      const wanted = stretch.pieces.filter((piece) => isWanted(piece) && isBefore(piece, place));
      if (wanted.length < limit && from > 0) continue;
      const pieces = wanted.slice(-limit);
      return {
        pieces,
        results: this.#results(file, pieces, stretch, size),
        hasBefore: from > 0 || wanted.length > pieces.length,
        hasAfter: end < size,
      };
    }
  }

  /** The first pieces after a place, or from it on. */
  #after(
    file: ReadableFile,
    size: number,
    place: Place,
    limit: number,
    isWanted: (piece: Piece) => boolean,
    isWithIt: boolean,
  ): PiecesPage {
    const isIn = (piece: Piece) =>
      isWanted(piece) &&
      !isBefore(piece, place) &&
      (isWithIt || piece.offset !== place.offset || piece.n !== place.n);
    // One more than wanted tells whether there is more.
    const stretch = this.#read(file, place.offset, size, { enough: limit + 1, isIn });
    const wanted = stretch.pieces.filter(isIn);
    const pieces = wanted.slice(0, limit);
    return {
      pieces,
      results: this.#results(file, pieces, stretch, size),
      hasBefore: place.offset > 0,
      hasAfter: wanted.length > pieces.length,
    };
  }

  #fromEntry(file: ReadableFile, size: number, at: number, limit: number): PiecesPage {
    const mark = this.#index.markOfEntry(at);
    const skip = at - (mark?.entries ?? 0);
    const enough = skip + limit + 1;
    const stretch = this.#read(file, mark?.offset ?? 0, size, { enough, isIn: isShown });
    const wanted = stretch.pieces.filter(isShown);
    const pieces = wanted.slice(skip, skip + limit);
    return {
      pieces,
      results: this.#results(file, pieces, stretch, size),
      hasBefore: at > 0,
      hasAfter: wanted.length > skip + limit,
    };
  }

  /** The first entry on a line, or after it; undefined while nobody has counted the lines. */
  #placeOf(file: ReadableFile, size: number, line: number | undefined): Place | undefined {
    if (line === undefined || this.indexed < 1) return undefined;
    const mark = this.#index.markOfLine(line);
    const isIn = (piece: Piece) => isShown(piece) && (piece.line ?? 0) >= line;
    const { pieces } = this.#read(file, mark?.offset ?? 0, size, { enough: 1, isIn });
    return pieces.find(isIn);
  }

  /** Where the prompt stands that a place belongs to; 0 if there is none. */
  #promptBefore(file: ReadableFile, place: Place): number {
    const known = this.indexed === 1 ? this.facts.prompts : [];
    for (let at = known.length - 1; at >= 0; at--) {
      const prompt = parseKey(known[at]?.key ?? "");
      if (prompt && !isBefore(place, prompt)) return prompt.offset;
    }
    if (known.length > 0) return 0;
    const isPrompt = (piece: Piece) => piece.kind === "prompt" && isShown(piece);
    for (let bytes = TAIL; bytes <= LONGEST_TURN; bytes *= 2) {
      const end = Math.min(file.stat().size, place.offset + 1);
      const from = lineBefore(file, end, bytes);
      const { pieces } = this.#read(
        file,
        from,
        this.#endOfLine(file, place.offset, file.stat().size),
      );
      const prompt = pieces.findLast((piece) => isPrompt(piece) && !isBefore(place, piece));
      if (prompt) return prompt.offset;
      if (from === 0) return 0;
    }
    return 0;
  }

  #endOfLine(file: ReadableFile, offset: number, size: number): number {
    return fileLines(file, offset, size).next().value?.end ?? size;
  }

  /** Reads a part of the file, from a line on. What the format has to know comes from the mark before. */
  #read(
    file: ReadableFile,
    from: number,
    until: number,
    stop?: { readonly enough: number; readonly isIn: (piece: Piece) => boolean },
  ): Stretch {
    const mark = this.#index.markAt(from);
    const reader = this.#readerAt(file, mark, from);
    const pieces: Piece[] = [];
    const usages: (EntryUsage & { offset: number; model?: string })[] = [];
    // Some agents name the model once, before the calls of it.
    let last = this.facts.model;
    let [count, end] = [0, from];
    for (const line of fileLines(file, from, until)) {
      const read = reader.read(line);
      end = line.end;
      for (const { usage, inSubagent, model = last } of read.entries) {
        last = model;
        if (!usage || inSubagent !== undefined) continue;
        usages.push({ ...usage, offset: line.offset, ...(model !== undefined && { model }) });
      }
      for (const piece of read.pieces) {
        pieces.push(piece);
        if (stop?.isIn(piece)) count++;
      }
      if (stop && count >= stop.enough) break;
    }
    return { pieces, usages, end, reader };
  }

  #readerAt(file: ReadableFile, mark: Mark | undefined, from: number): LineReader {
    // Beyond what is indexed there may be many lines between: they are not read for their number.
    if (!mark || from > this.#index.offset) {
      return new LineReader(this.#format, mark?.seen ?? [], from === 0 ? 0 : undefined);
    }
    const reader = new LineReader(this.#format, mark.seen, mark.line);
    for (const line of fileLines(file, mark.offset, from)) reader.read(line);
    return reader;
  }

  /** What came back from the calls among these pieces: often on lines that come later. */
  #results(
    file: ReadableFile,
    pieces: readonly Piece[],
    { pieces: near, end, reader }: Stretch,
    size: number,
  ): Map<string, ResultPiece> {
    const open = new Set(
      pieces.flatMap((piece) => (piece.kind === "call" ? (piece.entry.tool?.callId ?? []) : [])),
    );
    const results = new Map<string, ResultPiece>();
    const take = (piece: Piece) => {
      const id = piece.kind === "result" ? piece.entry.tool?.callId : undefined;
      if (piece.kind === "result" && id !== undefined && open.delete(id)) results.set(id, piece);
    };
    for (const piece of near) take(piece);
    if (open.size === 0) return results;
    for (const line of fileLines(file, end, Math.min(size, end + RESULTS_WITHIN))) {
      for (const piece of reader.read(line).pieces) take(piece);
      if (open.size === 0) break;
    }
    return results;
  }

  #counted(page: PiecesPage): PiecesPage {
    const [first] = page.pieces;
    if (this.indexed < 1 || !first || first.child !== undefined) return page;
    const from = this.#numberOf(first);
    return { ...page, total: this.facts.entries, ...(from !== undefined && { from }) };
  }

  #numberOf(piece: Piece): number | undefined {
    const mark = this.#index.markAt(piece.offset);
    if (!mark) return undefined;
    return this.#withFile((file) => {
      const until = this.#endOfLine(file, piece.offset, this.#index.offset);
      const { pieces } = this.#read(file, mark.offset, until);
      return mark.entries + pieces.filter((one) => isShown(one) && isBefore(one, piece)).length;
    });
  }

  #withFile<T>(work: (file: ReadableFile, size: number) => T): T {
    const file = this.#open();
    try {
      return work(file, file.stat().size);
    } finally {
      file.close();
    }
  }
}
