import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { compact, type Json, list, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { readCall } from "../transcripts/read-call.ts";
import { resultIn } from "../transcripts/result-block.ts";
import { textOf } from "../transcripts/text-blocks.ts";
import { isLegacyStart, legacyLine } from "./legacy-text.ts";
import { SOURCE } from "./transcript-tools.ts";
import { typedText } from "./user-query.ts";

/**
 * Cursor: messages without ids, times and tokens; older versions wrote plain text. Known from
 * documents only.
 */
export const transcript = jsonlFormat({
  recognise: (head) =>
    headRecords(head).some(isOurs) || isLegacyStart(head.toString("utf8", 0, 400)),
  lines: { usageMarks: [], decode, parse },
});

function isOurs({ role, message, type }: Json): boolean {
  const isRole = role === "user" || role === "assistant";
  return isRole && type === undefined && isRecord(message) && "content" in message;
}

/** A line of the older form stays text. What looks like JSON and is none is garbage. */
function decode(line: string): unknown {
  return line.startsWith("{") ? JSON.parse(line) : line;
}

function parse(value: unknown, seen: Map<string, unknown>, position = 0): TranscriptEntry[] {
  if (typeof value === "string") return legacyLine(value, seen, position);
  if (!isRecord(value)) return [];
  const common = { id: text(value.id) ?? `line-${position}` };
  const { content } = record(value.message);
  const blocks = list(content).map(record);
  const results = blocks.filter(({ type }) => type === "tool_result");
  if (value.role === "assistant") {
    const calls = blocks.filter(
      ({ type, name }) => type === "tool_use" && typeof name === "string",
    );
    const answer = compact({ ...common, kind: "assistant" as const, text: textOf(content) });
    return [answer, ...calls.map((block) => callOf(block, common))];
  }
  if (results.length > 0) return results.map((block) => resultOf(block, common));
  const said = value.role === "user" ? typedText(textOf(content) ?? "") : undefined;
  return [
    said === undefined ? { ...common, kind: "other" } : { ...common, kind: "user", text: said },
  ];
}

function callOf(block: Json, common: { id: string }): TranscriptEntry {
  const nativeName = text(block.name) ?? "";
  const call = { nativeName, callId: text(block.id), input: block.input };
  return { ...common, kind: "tool_call", tool: readCall(SOURCE, call).tool };
}

function resultOf(block: Json, common: { id: string }): TranscriptEntry {
  return { ...common, kind: "tool_result", tool: resultIn(block) };
}
