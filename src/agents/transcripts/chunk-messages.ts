import { chunkLines, joinLines } from "./chunk-lines.ts";
import { MAX_CHUNK_BYTES } from "./format.ts";
import { parsed, record, text } from "./json.ts";
import { type MessageSpans, messageSpans } from "./message-spans.ts";

/** What stands around the messages of a piece, so that each is a document of its own. */
const HEAD = Buffer.from('{"messages":[');
const TAIL = Buffer.from("]}");
const PART_HEAD = Buffer.from('{"messagePart":');
const COMMA = Buffer.from(",");

/**
 * Cuts a JSON document between its messages, so that every piece is valid JSON of at most `maxBytes`.
 * A message that alone is longer is cut too: its pieces hold it as text. What is no such document is
 * cut at line ends.
 */
export function chunkMessages(content: Buffer, maxBytes = MAX_CHUNK_BYTES): Buffer[] {
  if (content.length <= maxBytes) return [content];
  const spans = messageSpans(content);
  if (!spans) return chunkLines(content, maxBytes);
  const limit = Math.max(MIN_BYTES, maxBytes);
  const room = limit - HEAD.length - TAIL.length;
  return gathered(content, spans, room).flatMap((run, index, all) => {
    if (run.end - run.start > room) return parts(content.subarray(run.start, run.end), limit);
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    const raw = content.subarray(run.start, run.end);
    return [Buffer.concat([...(isFirst ? [] : [HEAD]), raw, ...(isLast ? [] : [TAIL])])];
  });
}

/** What stands around a piece has to fit, whatever the limit. */
const MIN_BYTES = 64;

interface Run {
  readonly start: number;
  readonly end: number;
}

/**
 * Messages that fit into one piece together. Between two runs there is a comma that neither has, or
 * the bracket at the beginning or end of the list.
 */
function gathered(content: Buffer, { start, commas, end }: MessageSpans, room: number): Run[] {
  // All places where the document can be cut: where one run ends and where the next begins.
  const cuts: { ends: number; begins: number }[] = [
    { ends: start, begins: start },
    ...commas.map((at) => ({ ends: at, begins: at + 1 })),
    { ends: end, begins: end },
  ];
  const runs: Run[] = [];
  let begun = 0;
  let last: { ends: number; begins: number } | undefined;
  for (const cut of [...cuts, { ends: content.length, begins: content.length }]) {
    if (cut.ends - begun > room && last) {
      runs.push({ start: begun, end: last.ends });
      begun = last.begins;
    }
    last = cut;
  }
  runs.push({ start: begun, end: content.length });
  return runs;
}

/** A run that is too long even alone, as text. A character of it may take twice as much in JSON. */
function parts(raw: Buffer, limit: number): Buffer[] {
  const room = Math.floor((limit - MIN_BYTES / 2) / 2);
  const pieces: Buffer[] = [];
  for (let start = 0; start < raw.length; ) {
    const end = characterEnd(raw, Math.min(raw.length, start + Math.max(4, room)));
    const said = JSON.stringify(raw.toString("utf8", start, end));
    const place = pieces.length === 0 ? "first" : "next";
    pieces.push(Buffer.from(`{"messagePart":"${place}","text":${said}}`));
    start = end;
  }
  return pieces;
}

/** Not in the middle of a character. */
function characterEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** Puts pieces of either kind together again, to the byte. */
export function joinMessages(chunks: readonly Buffer[]): Buffer {
  if (!isCutByMessage(chunks)) return joinLines(chunks);
  const joined: Buffer[] = [];
  chunks.forEach((chunk, index) => {
    const { raw, begins } = rawOf(chunk, index === 0, index === chunks.length - 1);
    if (index > 0 && begins && needsComma(joined.at(-1), raw)) joined.push(COMMA);
    joined.push(raw);
  });
  return Buffer.concat(joined);
}

/** Lines end in a line end; pieces of a document do not, and all but the first begin alike. */
function isCutByMessage(chunks: readonly Buffer[]): boolean {
  return (
    chunks.length > 1 &&
    chunks.every((chunk, index) => {
      if (starts(chunk, PART_HEAD)) return chunk.at(-1) === 0x7d;
      const begins = index === 0 || starts(chunk, HEAD);
      const ends = index === chunks.length - 1 || chunk.subarray(-TAIL.length).equals(TAIL);
      return begins && ends;
    })
  );
}

function starts(chunk: Buffer, head: Buffer): boolean {
  return chunk.subarray(0, head.length).equals(head);
}

/** What a piece holds of the document, and whether a run begins with it. */
function rawOf(chunk: Buffer, isFirst: boolean, isLast: boolean) {
  if (starts(chunk, PART_HEAD)) {
    const { messagePart, text: said } = record(parsed(chunk.toString("utf8")));
    return { raw: Buffer.from(text(said) ?? ""), begins: messagePart === "first" };
  }
  const start = isFirst ? 0 : HEAD.length;
  const end = isLast ? chunk.length : chunk.length - TAIL.length;
  return { raw: chunk.subarray(start, end), begins: true };
}

/** The brackets of the list have no comma beside them. */
function needsComma(before: Buffer | undefined, after: Buffer): boolean {
  const isAtStart = before !== undefined && lastOf(before) === 0x5b;
  return !isAtStart && firstOf(after) !== 0x5d;
}

function lastOf(bytes: Buffer): number | undefined {
  let at = bytes.length - 1;
  while (at >= 0 && (bytes[at] ?? 0) <= 0x20) at--;
  return bytes[at];
}

function firstOf(bytes: Buffer): number | undefined {
  return bytes.find((byte) => byte > 0x20);
}
