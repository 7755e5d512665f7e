import type { Located, TranscriptFormat } from "./format.ts";
import { bareLine, decodeLine, isBlank } from "./line-decoder.ts";

const NEWLINE = 0x0a;

/** An entry of a transcript that is in memory, and where its last line ends. */
export interface ContentEntry extends Located {
  readonly end: number;
}

/** What a transcript in memory says, in its order. Lines that are garbage are passed over. */
export function* contentEntries(
  format: TranscriptFormat,
  content: Buffer,
): Generator<ContentEntry> {
  const located = format.document?.(content) ?? [];
  if (!format.lines || located.length > 0) {
    for (const one of located) yield { ...one, end: content.length };
    return;
  }
  const seen = new Map<string, unknown>();
  let start = 0;
  for (let position = 0; start < content.length; position++) {
    const newline = content.indexOf(NEWLINE, start);
    const end = newline === -1 ? content.length : newline + 1;
    const line = bareLine(content.subarray(start, newline === -1 ? end : newline), position);
    const before = start;
    start = end;
    if (isBlank(line) && !format.lines.decode) continue;
    let said: unknown;
    try {
      said = decodeLine(format.lines, line);
    } catch {
      continue;
    }
    for (const entry of format.lines.parse(said, seen, position)) {
      yield { position, entry, end: entry.endsBefore ? before : end };
    }
  }
}
