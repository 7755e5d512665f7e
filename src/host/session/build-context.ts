import type { AgentMessage, CompactionEntry, SessionEntry } from "../../events/index.ts";
import { withEdits } from "./context-edits.ts";
import { entryMessages } from "./entry-message.ts";

/** What a model gets to see of a session, and with which model and thinking level it goes on. */
export interface SessionContext {
  messages: AgentMessage[];
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
}

/**
 * What the model sees of a path, root first. After a compaction: its summary, what it kept, what
 * came after.
 */
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
    context.messages = entryMessages(withEdits(path));
    return context;
  }
  const { summary, tokensBefore, firstKeptEntryId } = compaction;
  const timestamp = Date.parse(compaction.timestamp);
  const before = path.slice(0, compactedAt);
  const firstKept = before.findIndex(({ id }) => id === firstKeptEntryId);
  // A first kept entry that is not on the path before, such as the compaction's own id: none.
  const kept = firstKept === -1 ? [] : before.slice(firstKept);
  context.messages = [
    { role: "compactionSummary", summary, tokensBefore, timestamp },
    ...entryMessages(withEdits([...kept, ...path.slice(compactedAt + 1)], path)),
  ];
  return context;
}
