import { setImmediate as othersFirst } from "node:timers/promises";
import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "./entry.ts";
import { readFileLines } from "./file-lines.ts";
import { type Fingerprint, fingerprintOf, isSameFile } from "./fingerprint.ts";
import type { LineFormat, TranscriptFormat } from "./format.ts";
import { LineParser } from "./line-parser.ts";
import { openReadable, type ReadableFile } from "./readable-file.ts";

const VERSION = 1;

/** Where a reader of entries got to; plain JSON, so that another process can go on from there. */
export interface ReadState {
  readonly version: typeof VERSION;
  /** Bytes read; 0 for documents and databases. */
  readonly offset: number;
  /** Lines or messages read. */
  readonly position: number;
  /** The last line was whole and yet without a line end. */
  readonly midLine?: true;
  /** Absent for documents and databases. */
  readonly file?: Fingerprint;
  readonly seen: readonly (readonly [string, unknown])[];
}

export interface EntryPlace {
  /** Line or message. */
  readonly position: number;
  /** Where its line begins, in bytes; 0 for documents and databases. */
  readonly offset: number;
}

export interface AppendedOptions {
  /** As the last reader left it; anything that cannot be understood means from the start. */
  readonly from?: unknown;
  readonly onEntry: (entry: TranscriptEntry, place: EntryPlace) => void;
  /** It is not the file that was read before: what was read of it counts no more. */
  readonly onRestart: () => void;
  /**
   * Called between two chunks. `state` says where reading is, so that what was given so far can be
   * kept together with it.
   */
  readonly between?: (state: () => ReadState) => Promise<void>;
  /** How a file is opened; tests count through it. */
  readonly open?: (path: string) => ReadableFile;
}

export interface Appended {
  readonly state: ReadState;
  readonly bytesRead: number;
  readonly garbageLines: number;
}

/**
 * Gives every entry that was appended to a transcript since it was read last. A file that was
 * rewritten or cut is read from its start; a document is read whole whenever this is called.
 * Rejects if it cannot be read.
 */
export async function readAppended(
  format: TranscriptFormat,
  ref: string,
  options: AppendedOptions,
): Promise<Appended> {
  const known = isReadState(options.from) ? options.from : undefined;
  if (options.from !== undefined && !known) options.onRestart();
  if (!format.lines) return readMessages(format, ref, known, options);
  if (format.isDocument?.(ref)) {
    if (known) options.onRestart();
    return readMessages(format, ref, undefined, options);
  }
  const file = (options.open ?? openReadable)(ref);
  try {
    return await readLines(format.unit, format.lines, file, known, options);
  } finally {
    file.close();
  }
}

async function readLines(
  unit: string,
  format: LineFormat,
  file: ReadableFile,
  before: ReadState | undefined,
  options: AppendedOptions,
): Promise<Appended> {
  // What is appended from here on is for the next time.
  const stats = file.stat();
  const check = before?.file && isSameFile(file, before.offset, before.file, stats.size);
  const known = check?.same ? before : undefined;
  if (before && !known) options.onRestart();
  let bytesRead = check?.bytesRead ?? 0;
  let offset = known?.offset ?? 0;
  const parser = new LineParser(unit, format, {
    known,
    onEntry: (entry, position) => options.onEntry(entry, { position, offset }),
  });
  const stateAt = (end: number): ReadState => {
    const print = fingerprintOf(file, end, stats);
    bytesRead += print.bytesRead;
    return {
      version: VERSION,
      offset: end,
      position: parser.position,
      ...(parser.endIsMissing && { midLine: true }),
      file: print.print,
      seen: [...parser.seen],
    };
  };
  const read = await readFileLines(
    file,
    offset,
    stats.size,
    (line) => {
      parser.line(line);
      offset += line.length + 1;
    },
    () => options.between?.(() => stateAt(offset)) ?? othersFirst(),
  );
  const midLine = parser.rest(read.rest);
  const state = stateAt(read.end + (midLine ? read.rest.length : 0));
  return {
    state: midLine ? { ...state, midLine } : state,
    bytesRead: bytesRead + read.bytesRead,
    garbageLines: parser.garbage,
  };
}

async function readMessages(
  format: TranscriptFormat,
  ref: string,
  known: ReadState | undefined,
  options: AppendedOptions,
): Promise<Appended> {
  const start = known?.position ?? 0;
  let position = start;
  // One before the start is asked for: if it is gone, messages were taken away.
  let isThere = start === 0;
  for await (const located of format.entries?.(ref, Math.max(0, start - 1)) ?? []) {
    if (located.position < start) {
      isThere = true;
      continue;
    }
    if (located.open) break;
    if (!isThere) break;
    position = Math.max(position, located.position + 1);
    options.onEntry(located.entry, { position: located.position, offset: 0 });
    await options.between?.(() => ({ version: VERSION, offset: 0, position, seen: [] }));
  }
  if (!isThere) {
    options.onRestart();
    return readMessages(format, ref, undefined, options);
  }
  return {
    state: { version: VERSION, offset: 0, position, seen: [] },
    bytesRead: 0,
    garbageLines: 0,
  };
}

/** A state of another version of Seam is of no use: then the transcript is read from its start. */
function isReadState(value: unknown): value is ReadState {
  return (
    isRecord(value) &&
    value.version === VERSION &&
    Number.isSafeInteger(value.offset) &&
    Number.isSafeInteger(value.position) &&
    Array.isArray(value.seen)
  );
}
