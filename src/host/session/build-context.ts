import type { AgentMessage, CompactionEntry, SessionEntry } from "../../events/index.ts";

/** What a model gets to see of a session, and with which model and thinking level it goes on. */
export interface SessionContext {
  messages: AgentMessage[];
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
}

/** From a path, root first. After a compaction: its summary, what it kept, what came after. */
export function buildContext(path: readonly SessionEntry[]): SessionContext {
  const context: SessionContext = { messages: [], thinkingLevel: "off", model: null };
  let compaction: CompactionEntry | undefined;
  let compactedAt = -1;
  for (const [at, entry] of path.entries()) {
    if (entry.type === "thinking_level_change") context.thinkingLevel = entry.thinkingLevel;
    else if (entry.type === "model_change") {
      context.model = { provider: entry.provider, modelId: entry.modelId };
    } else if (entry.type === "message" && entry.message.role === "assistant") {
      context.model = { provider: entry.message.provider, modelId: entry.message.model };
    } else if (entry.type === "compaction") {
      compaction = entry;
      compactedAt = at;
    }
  }
  if (!compaction) {
    context.messages = path.flatMap(messageOfEntry);
    return context;
  }
  const { summary, tokensBefore, firstKeptEntryId } = compaction;
  const timestamp = timeOf(compaction);
  const before = path.slice(0, compactedAt);
  const firstKept = before.findIndex(({ id }) => id === firstKeptEntryId);
  // A first kept entry that is not on the path before, such as the compaction's own id: none.
  const kept = firstKept === -1 ? [] : before.slice(firstKept);
  context.messages = [
    { role: "compactionSummary", summary, tokensBefore, timestamp },
    ...[...kept, ...path.slice(compactedAt + 1)].flatMap(messageOfEntry),
  ];
  return context;
}

/** An entry as it stands in the conversation: one message, or none. */
function messageOfEntry(entry: SessionEntry): AgentMessage[] {
  switch (entry.type) {
    case "message":
      return [entry.message];
    case "custom_message": {
      const { customType, content, display, details } = entry;
      const timestamp = timeOf(entry);
      return [{ role: "custom", customType, content, display, details, timestamp }];
    }
    case "branch_summary": {
      const { summary, fromId } = entry;
      return summary ? [{ role: "branchSummary", summary, fromId, timestamp: timeOf(entry) }] : [];
    }
    default:
      return [];
  }
}

function timeOf(entry: SessionEntry): number {
  return new Date(entry.timestamp).getTime();
}
