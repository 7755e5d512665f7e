import { type LinesRead, readFileLines } from "./file-lines.ts";
import { type Fingerprint, fingerprintOf, isSameFile } from "./fingerprint.ts";
import type { LineFormat, TranscriptFormat } from "./format.ts";
import { LineParser } from "./line-parser.ts";
import { openReadable, type ReadableFile } from "./readable-file.ts";
import { scanEntries } from "./scan-entries.ts";
import { type KnownOptions, nothingRead, type Scan, type ScanOptions } from "./scan-result.ts";
import { isScanState, newScanState, type ScanState } from "./scan-state.ts";

/** Reads what was appended to a transcript since the last scan, and nothing else of it. */
export async function scanTranscript(
  format: TranscriptFormat,
  ref: string,
  options: ScanOptions = {},
): Promise<Scan> {
  const known = isScanState(options.from) ? options.from : undefined;
  // A state that cannot be understood is like a file that is not the one it was.
  const isLost = options.from !== undefined && known === undefined;
  if (!format.lines || format.isDocument?.(ref)) {
    return scanEntries(format, ref, { ...options, known, isLost });
  }
  let file: ReadableFile;
  try {
    file = (options.open ?? openReadable)(ref);
  } catch (error) {
    return nothingRead(format, known, error);
  }
  try {
    return await scanFile(format.unit, format.lines, file, { ...options, known, isLost });
  } catch (error) {
    return nothingRead(format, known, error);
  } finally {
    file.close();
  }
}

async function scanFile(
  unit: string,
  format: LineFormat,
  file: ReadableFile,
  options: KnownOptions,
): Promise<Scan> {
  // What is appended from here on is for the next scan.
  const stats = file.stat();
  const { known, ...check } = knownPart(file, options, stats.size);
  const parser = new LineParser(unit, format, { ...options, known, facts: known });
  const read = await readFileLines(file, known?.offset ?? 0, stats.size, (line) =>
    parser.line(line),
  );
  const midLine = parser.rest(read.rest);
  const offset = read.end + (midLine ? read.rest.length : 0);
  const prints = printOf(file, offset, stats, known, read);
  return {
    state: newScanState({
      offset,
      position: parser.position,
      ...(midLine && { midLine }),
      file: prints.print,
      seen: [...parser.seen],
      ...parser.collector.state(),
    }),
    facts: parser.collector.facts(),
    total: parser.collector.total(),
    bytesRead: check.bytesRead + read.bytesRead + prints.bytesRead,
    linesParsed: parser.parsed,
    garbageLines: parser.garbage,
    ...(check.restarted && { restarted: true }),
  };
}

function knownPart(file: ReadableFile, options: KnownOptions, size: number) {
  const { known, isLost } = options;
  if (!known?.file) return { known: undefined, restarted: isLost, bytesRead: 0 };
  const { same, bytesRead } = isSameFile(file, known.offset, known.file, size);
  return { known: same ? known : undefined, restarted: !same, bytesRead };
}

/** Unchanged where nothing was read. */
function printOf(
  file: ReadableFile,
  offset: number,
  stats: { size: number; ino: number },
  known: ScanState | undefined,
  read: LinesRead,
): { print: Fingerprint; bytesRead: number } {
  if (known?.file && read.bytesRead === 0) return { print: known.file, bytesRead: 0 };
  return fingerprintOf(file, offset, stats);
}
