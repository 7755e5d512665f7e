import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { compact, type Json, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { textOf } from "../transcripts/text-blocks.ts";
import { answered } from "./answer-line.ts";
import type { CommonFields } from "./common-fields.ts";
import { forkedFrom } from "./forked-from.ts";
import { waitForFlush } from "./late-flush.ts";
import { quickUsage } from "./quick-usage.ts";
import { asked } from "./user-line.ts";

/** Claude Code: one line per block of an answer, per result and per note to itself. */
export const transcript = jsonlFormat({
  recognise: (head) => headRecords(head).some(isOurs),
  prepare: waitForFlush,
  forkedFrom,
  namesCalls: true,
  usageIsGlobal: true,
  lines: { usageMarks: ['"usage"'], parse, quickUsage },
});

function isOurs(line: Json): boolean {
  if (line.type === "summary") return typeof line.leafUuid === "string";
  const isInSession = typeof line.sessionId === "string" && line.projectHash === undefined;
  return isInSession && typeof line.type === "string";
}

function parse(value: unknown, seen: Map<string, unknown>, position = 0): TranscriptEntry[] {
  if (!isRecord(value)) return [];
  const common = commonFields(value);
  switch (value.type) {
    case "user":
      return asked(value, common, seen, position);
    case "assistant":
      return answered(value, common, seen, position);
    case "attachment":
      return [queued(record(value.attachment), common)];
    case "system":
      return [{ ...common, kind: value.subtype === "compact_boundary" ? "compaction" : "other" }];
    default:
      return [compact({ ...common, kind: "other" as const, summary: titleOf(value) })];
  }
}

function commonFields(line: Json): CommonFields {
  // Older versions wrote subagents into the same file.
  const inSubagent = line.isSidechain === true ? (text(line.agentId) ?? "sidechain") : undefined;
  // What a fork brings along keeps its session's name, or tells it.
  const session = text(record(line.forkedFrom).sessionId) ?? text(line.sessionId);
  return compact({
    id: text(line.uuid),
    at: text(line.timestamp),
    inSubagent,
    session,
    cwd: text(line.cwd),
  });
}

/** What the user typed while Claude Code was at work. */
function queued(attachment: Json, common: CommonFields): TranscriptEntry {
  const { type, prompt, origin, commandMode = "prompt", isMeta } = attachment;
  const isTyped =
    type === "queued_command" &&
    commandMode === "prompt" &&
    isMeta !== true &&
    (!isRecord(origin) || origin.kind === "human");
  return isTyped
    ? compact({ ...common, kind: "user" as const, text: textOf(prompt) })
    : { ...common, kind: "other" };
}

function titleOf({ type, summary, customTitle, aiTitle }: Json): string | undefined {
  if (type === "summary") return text(summary);
  return text(type === "custom-title" ? customTitle : type === "ai-title" ? aiTitle : undefined);
}
