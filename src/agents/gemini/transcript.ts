import { readFile } from "node:fs/promises";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import type { Located, TranscriptFormat } from "../transcripts/format.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { compact, isRecord, type Json, list, parsed, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
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
};

const LEGACY_HEAD = /^\s*\{\s*"sessionId"\s*:\s*"[^"]*",\s*"projectHash"\s*:/;

const startOf = (head: Buffer) => head.toString("utf8", 0, 400).replace(/^\uFEFF/, "");

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
  if (!LEGACY_HEAD.test(startOf(content))) return [];
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
