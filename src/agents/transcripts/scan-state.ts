import { isRecord } from "../../values/index.ts";
import type { FactsState } from "./facts.ts";
import type { Fingerprint } from "./fingerprint.ts";

const VERSION = 1;

/** Where a scan got to; plain JSON, so that the next one can go on from there in another process. */
export interface ScanState extends FactsState {
  readonly version: typeof VERSION;
  /** Bytes read. An unfinished last line is not among them. */
  readonly offset: number;
  /** Lines or messages read. */
  readonly position: number;
  /** The last line was whole and yet without a line end: that still has to come. */
  readonly midLine?: true;
  /** Absent for databases. */
  readonly file?: Fingerprint;
  /** What the format keeps for later lines. */
  readonly seen: readonly (readonly [string, unknown])[];
}

export function newScanState(parts: Omit<ScanState, "version">): ScanState {
  return { version: VERSION, ...parts };
}

/** A state of another version of Seam is of no use: then the transcript is read from its start. */
export function isScanState(value: unknown): value is ScanState {
  return (
    isRecord(value) &&
    value.version === VERSION &&
    Number.isSafeInteger(value.offset) &&
    Number.isSafeInteger(value.position) &&
    Array.isArray(value.seen) &&
    Array.isArray(value.skills) &&
    isRecord(value.usage) &&
    isRecord(value.usage.settled) &&
    Array.isArray(value.usage.open)
  );
}
