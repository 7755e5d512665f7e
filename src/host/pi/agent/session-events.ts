import type { SeamEvent } from "../../../events/index.ts";
import { jsonEvent } from "../../modes/index.ts";

/** An event as those get it who subscribe to Pi's `AgentSession`. */
export type SessionEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What Pi's listeners know under the same name. */
const PASSED_ON: ReadonlySet<string> = new Set([
  "agent_start",
  "agent_settled",
  "turn_start",
  "turn_end",
  "message_start",
  "message_update",
  "message_end",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "auto_retry_start",
  "auto_retry_end",
  "session_info_changed",
]);

/** The same for who reads lines of JSON: of what grows with every piece, the piece alone. */
export function sessionLine(event: SeamEvent): unknown {
  return PASSED_ON.has(event.type) ? jsonEvent(event) : sessionEvent(event);
}

/** Seam's events in Pi's words; undefined for those that Pi tells extensions alone. */
export function sessionEvent(event: SeamEvent): SessionEvent | undefined {
  if (PASSED_ON.has(event.type)) return { ...event };
  switch (event.type) {
    case "agent_end":
      return { ...event, willRetry: false };
    case "thinking_level_select":
      return { type: "thinking_level_changed", level: event.level };
    case "session_before_compact":
      return { type: "compaction_start", reason: event.reason ?? "manual" };
    case "session_compact": {
      const { summary, firstKeptEntryId, tokensBefore, details } = event.compactionEntry;
      const result = { summary, firstKeptEntryId, tokensBefore, details };
      return {
        type: "compaction_end",
        reason: event.reason ?? "manual",
        result,
        aborted: false,
        willRetry: event.willRetry === true,
      };
    }
    case "session_compact_failed": {
      const { reason, aborted, willRetry, errorMessage } = event;
      return {
        type: "compaction_end",
        reason,
        result: undefined,
        aborted,
        willRetry,
        errorMessage,
      };
    }
    default:
      return undefined;
  }
}
