import type { AgentMessage, SessionEntry } from "../../events/index.ts";

/**
 * What an entry adds to the conversation; undefined for entries that only describe the session. A
 * compaction adds nothing here: its summary stands before everything it kept.
 */
export function entryMessage(entry: SessionEntry): AgentMessage | undefined {
  switch (entry.type) {
    case "message":
      return entry.message;
    case "custom_message": {
      const { customType, content, display, details } = entry;
      const timestamp = Date.parse(entry.timestamp);
      return { role: "custom", customType, content, display, details, timestamp };
    }
    case "branch_summary": {
      const { summary, fromId } = entry;
      if (!summary) return undefined;
      return { role: "branchSummary", summary, fromId, timestamp: Date.parse(entry.timestamp) };
    }
    default:
      return undefined;
  }
}

export function entryMessages(entries: readonly SessionEntry[]): AgentMessage[] {
  return entries.flatMap((entry) => entryMessage(entry) ?? []);
}
