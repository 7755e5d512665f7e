import type { TranscriptEntry } from "./entry.ts";
import { FactsCollector, type FactsState } from "./facts.ts";
import type { LineFormat } from "./format.ts";
import { bareLine, decodeLine, isBlank, isWholeWithoutEnd } from "./line-decoder.ts";
import type { Want } from "./scan-result.ts";
import type { ScanState } from "./scan-state.ts";

interface Options {
  readonly known: Pick<ScanState, "position" | "midLine" | "seen"> | undefined;
  /** What was collected before. */
  readonly facts?: FactsState | undefined;
  readonly want?: Want;
  readonly marks?: readonly string[];
  readonly skip?: number;
  /** Lines from this one on are left for later. */
  readonly end?: number;
  readonly ownChild?: boolean;
  readonly since?: string | undefined;
  readonly call?: string;
  readonly time?: string;
  /** Gets every entry; then nothing is collected. */
  readonly onEntry?: (entry: TranscriptEntry, position: number) => void;
}

/** Goes through the lines of a transcript and collects what they say. Nothing in them is fatal. */
export class LineParser {
  readonly collector: FactsCollector;
  readonly seen: Map<string, unknown>;
  position: number;
  parsed = 0;
  garbage = 0;
  readonly #format: LineFormat;
  readonly #want: Want;
  readonly #marks: readonly Buffer[] | undefined;
  readonly #skip: number;
  readonly #end: number;
  readonly #onEntry: Options["onEntry"];
  #endIsMissing: boolean;

  /** The last line that was read has no end yet. */
  get endIsMissing(): boolean {
    return this.#endIsMissing;
  }

  constructor(unit: string, format: LineFormat, options: Options) {
    const { known, facts, want = "all", skip = 0, ownChild = false, since, call, time } = options;
    this.#onEntry = options.onEntry;
    this.collector = new FactsCollector(unit, {
      state: facts,
      ownChild,
      since,
      call,
      time,
      onlyTokens: want === "tokens",
    });
    this.seen = new Map(known?.seen);
    this.position = known?.position ?? 0;
    this.#endIsMissing = known?.midLine ?? false;
    this.#format = format;
    this.#want = want;
    const marks = want === "tokens" ? format.usageMarks : options.marks;
    this.#marks = marks?.map((mark) => Buffer.from(mark));
    this.#skip = skip;
    this.#end = options.end ?? Number.POSITIVE_INFINITY;
  }

  /** Returns "stop" if this line is left for later. */
  line(line: Buffer): "stop" | undefined {
    if (this.#endIsMissing) {
      this.#endIsMissing = false;
      // This is only the line end of the line that was read the last time.
      if (isBlank(line)) return undefined;
    }
    if (this.position >= this.#end) return "stop";
    const position = this.position++;
    if (this.#want === "position" || position < this.#skip) return undefined;
    if (this.#marks && !this.#marks.some((mark) => line.includes(mark))) return undefined;
    this.#parse(bareLine(line, position), position);
    return undefined;
  }

  /** The end of the file without a line end. Returns whether it is a line all the same. */
  rest(rest: Buffer): true | undefined {
    if (!isWholeWithoutEnd(this.#format, bareLine(rest, this.position))) {
      return this.#endIsMissing && isBlank(rest) ? true : undefined;
    }
    return this.line(rest) === "stop" ? undefined : true;
  }

  #parse(line: Buffer, position: number): void {
    if (isBlank(line) && !this.#format.decode) return;
    const quick = this.#want === "tokens" ? this.#format.quickUsage?.(line) : undefined;
    if (quick) {
      this.parsed++;
      this.#collect(quick, position);
      return;
    }
    let said: unknown;
    try {
      said = decodeLine(this.#format, line);
      this.parsed++;
    } catch {
      this.garbage++;
      return;
    }
    this.#collect(this.#format.parse(said, this.seen, position), position);
  }

  #collect(entries: readonly TranscriptEntry[], position: number): void {
    for (const entry of entries) {
      if (this.#onEntry) this.#onEntry(entry, position);
      else this.collector.add(entry, position);
    }
  }
}
