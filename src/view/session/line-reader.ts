import {
  bareLine,
  decodeLine,
  isBlank,
  isWholeWithoutEnd,
  type LineFormat,
  type TranscriptEntry,
} from "../../agents/index.ts";
import type { FileLine } from "./line-file.ts";
import { brokenPiece, type Piece, piecesOf } from "./pieces.ts";

export interface ReadLine {
  readonly pieces: readonly Piece[];
  readonly entries: readonly TranscriptEntry[];
}

const NOTHING: ReadLine = { pieces: [], entries: [] };
const SHOWN_OF_BROKEN = 2_000;

/** Goes through lines in their order and says what each holds. Nothing in a line is fatal. */
export class LineReader {
  readonly #format: LineFormat;
  readonly seen: Map<string, unknown>;
  /** Undefined where reading began in the middle of a file nobody has counted yet. */
  line: number | undefined;

  constructor(format: LineFormat, seen: Iterable<readonly [string, unknown]> = [], line?: number) {
    this.#format = format;
    this.seen = new Map(seen);
    this.line = line;
  }

  read({ offset, bytes, isTooLong, isOpen }: FileLine): ReadLine {
    const line = this.line;
    const bare = bareLine(bytes, offset === 0 ? 0 : 1);
    if (isOpen && !isTooLong && !isWholeWithoutEnd(this.#format, bare)) return NOTHING;
    if (line !== undefined) this.line = line + 1;
    const place = { offset, ...(line !== undefined && { line }) };
    if (isBlank(bare) && !this.#format.decode) return NOTHING;
    const shown = () => bare.toString("utf8", 0, SHOWN_OF_BROKEN);
    if (isTooLong) {
      const error = new Error("it is longer than any that can be shown");
      return { pieces: [brokenPiece(shown(), error, place)], entries: [] };
    }
    try {
      const decoded = decodeLine(this.#format, bare);
      const entries = this.#format.parse(decoded, this.seen, line ?? 0);
      // Where lines are plain text, several of them say something together.
      if (entries.length === 0 && this.#format.decode) return NOTHING;
      return { pieces: piecesOf(decoded, entries, place), entries };
    } catch (error) {
      return { pieces: [brokenPiece(shown(), error, place)], entries: [] };
    }
  }
}
