import type { TokenUsage } from "../../events/index.ts";
import { type Facts, FactsCollector } from "./facts.ts";
import type { TranscriptFormat } from "./format.ts";
import type { ReadableFile } from "./readable-file.ts";
import { newScanState, type ScanState } from "./scan-state.ts";

export type Want = "all" | "tokens" | "position";

/** Which part of a transcript is read, and for what. */
export interface ScanOptions {
  /** Where the last scan got to: only what came after that is read. */
  readonly from?: ScanState | undefined;
  /** all: every fact. tokens: nothing else, which is faster. position: only lines are counted. */
  readonly want?: Want;
  /** Lines with none of these are passed over unparsed. */
  readonly marks?: readonly string[];
  /** Lines or messages before this one are passed over. */
  readonly skip?: number;
  /** Lines or messages from this one on are left for a later scan. */
  readonly end?: number;
  /** The transcript is that of a child: what it says of itself is not what a child of it did. */
  readonly ownChild?: boolean;
  /** ISO: what is dated before does not count, it is only passed over. Not for `want: "tokens"`. */
  readonly since?: string | undefined;
  /** The id of a tool call whose end is looked for. */
  readonly call?: string;
  /** ISO. What the agent did first after this time is looked for. */
  readonly time?: string;
  /** The agent has ended: a message that it was at work on stays as it is. */
  readonly isOver?: boolean;
  /** How a file is opened; tests count through it. */
  readonly open?: (path: string) => ReadableFile;
}

/** What a look at a transcript came to. */
export interface Scan {
  /** For the next scan. */
  readonly state: ScanState;
  readonly facts: Facts;
  /** Of all that was read so far, in this scan and those before. */
  readonly total: TokenUsage;
  readonly bytesRead: number;
  readonly linesParsed: number;
  readonly garbageLines: number;
  /** It is not the file the state knows, or was cut: this was read from the start. */
  readonly restarted?: true;
  /** There is nothing to read, and why. */
  readonly missing?: true;
  readonly problem?: string;
}

export type KnownOptions = ScanOptions & {
  readonly known: ScanState | undefined;
  readonly isLost: boolean;
};

/** The state stays as it was: the file may come back. */
export function nothingRead(
  format: TranscriptFormat,
  known: ScanState | undefined,
  error: unknown,
): Scan {
  const collector = new FactsCollector(format.unit, { state: known });
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return {
    state: known ?? newScanState({ offset: 0, position: 0, seen: [], ...collector.state() }),
    facts: collector.facts(),
    total: collector.total(),
    bytesRead: 0,
    linesParsed: 0,
    garbageLines: 0,
    missing: true,
    problem: code,
  };
}
