import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { compact, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { eventOf } from "./event-line.ts";
import { itemOf } from "./item-line.ts";
import { usageOf } from "./usage-line.ts";

/** Codex: what goes to the model (`response_item`), and what happened (`event_msg` and others). */
export const transcript = jsonlFormat({
  recognise: (head) =>
    headRecords(head).some(({ type, payload }) => type === "session_meta" && isRecord(payload)),
  namesCalls: true,
  lines: { usageMarks: ['"token_usage_record"', '"token_count"'], parse },
});

function parse(value: unknown, seen: Map<string, unknown>): TranscriptEntry[] {
  if (!isRecord(value)) return [];
  const payload = record(value.payload);
  const common = compact({ id: text(payload.id), at: text(value.timestamp) });
  switch (value.type) {
    case "response_item":
      return itemOf(payload, common, seen);
    case "event_msg":
      return eventOf(payload, common, seen);
    case "token_usage_record":
      return usageOf(payload.usage, payload.thread_token_usage, common);
    case "compacted":
      return [{ ...common, kind: "compaction" }];
    case "turn_context":
      return [
        compact({
          ...common,
          kind: "other" as const,
          model: text(payload.model),
          cwd: text(payload.cwd),
        }),
      ];
    case "session_meta":
      return [compact({ ...common, kind: "other" as const, cwd: text(payload.cwd) })];
    default:
      return [{ ...common, kind: "other" }];
  }
}
