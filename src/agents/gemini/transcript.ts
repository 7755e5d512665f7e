import { readFile } from "node:fs/promises";
import { isRecord } from "../../values/index.ts";
import { chunkMessages, joinMessages } from "../transcripts/chunk-messages.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import type { Located, TranscriptFormat } from "../transcripts/format.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { compact, type Json, list, parsed, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { isBlank } from "../transcripts/line-decoder.ts";
import { messageSpans } from "../transcripts/message-spans.ts";
import { messageOf } from "./message.ts";

/** Gemini CLI: records that are written again when they grow, and patches (`$set`). */
export const transcript: TranscriptFormat = {
  ...jsonlFormat({
    recognise: (head) => headRecords(head).some(isHeader) || LEGACY_HEAD.test(startOf(head)),
    lines: { usageMarks: ['"tokens"'], parse },
  }),
  // Versions before the end of 2025 wrote one JSON document.
  isDocument: (ref) => ref.endsWith(".json"),
  async *entries(ref, from) {
    for (const located of document(await readFile(ref))) {
      if (located.position >= from) yield located;
    }
  },
  document,
  chunk: chunkMessages,
  reassemble: joinMessages,
};

const LEGACY_HEAD = /^\s*\{\s*"sessionId"\s*:\s*"[^"]*",\s*"projectHash"\s*:/;

/** The first record of lines says little. */
const LONGEST_HEADER = 64 * 1024;

const startOf = (head: Buffer) => head.toString("utf8", 0, 400).replace(/^\uFEFF/, "");

/** Whether it is one JSON document, as versions before the end of 2025 wrote it. */
export function isDocument(content: Buffer): boolean {
  if (!LEGACY_HEAD.test(startOf(content))) return false;
  const newline = content.indexOf(0x0a);
  // Lines begin with a whole record, and so does a document that is one line and nothing else.
  const isOneLine = newline === -1 || isBlank(content.subarray(newline));
  if (isOneLine) return messageSpans(content) !== undefined;
  return newline > LONGEST_HEADER || !isRecord(parsed(content.toString("utf8", 0, newline)));
}

function isHeader({ sessionId, projectHash }: Json): boolean {
  return typeof sessionId === "string" && typeof projectHash === "string";
}

function parse(value: unknown, seen: Map<string, unknown>): TranscriptEntry[] {
  if (!isRecord(value)) return [];
  if (isRecord(value.$set)) return [...relisted(value.$set, seen), patchOf(value.$set)];
  if (isHeader(value)) return [...relisted(value, seen), { kind: "other" }];
  if (typeof value.id === "string") return messageOf(value, seen);
  return [compact({ kind: "other" as const, id: text(value.$rewindTo) })];
}

/** On resuming all messages are written down once more: only those not told yet say anything. */
function relisted({ messages }: Json, seen: Map<string, unknown>): TranscriptEntry[] {
  return list(messages).flatMap((message) =>
    isRecord(message) ? messageOf(message, seen, { isRelisted: true }) : [],
  );
}

function patchOf({ summary }: Json): TranscriptEntry {
  return compact({ kind: "other" as const, summary: text(summary) });
}

/** Nothing, if the content is lines. */
function document(content: Buffer): Located[] {
  if (!isDocument(content)) return [];
  const { messages, summary } = record(parsed(content.toString("utf8").replace(/^\uFEFF/, "")));
  const seen = new Map<string, unknown>();
  const located = list(messages).flatMap((message, position) =>
    messageOf(record(message), seen).map((entry) => ({ position, entry })),
  );
  const title = text(summary);
  if (title === undefined) return located;
  return [
    ...located,
    { position: list(messages).length - 1, entry: { kind: "other", summary: title } },
  ];
}
