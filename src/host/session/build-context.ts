import type { AgentMessage, CompactionEntry, SessionEntry } from "../../events/index.ts";

/** What a model gets to see of a session, and with which model and thinking level it goes on. */
export interface SessionContext {
  messages: AgentMessage[];
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
}

interface Kept {
  readonly last: SessionEntry;
  readonly count: number;
  readonly context: SessionContext;
}

/**
 * By the first entry of a path: the context it had last. A conversation is asked for before every
 * model call and is nearly always the one from before and a little more. Weak, so that a session
 * that is gone does not stay for its context.
 */
const kept = new WeakMap<SessionEntry, Kept>();

/** From a path, root first. After a compaction: its summary, what it kept, what came after. */
export function buildContext(path: readonly SessionEntry[]): SessionContext {
  const [first] = path;
  const last = path.at(-1);
  if (!first || !last) return { messages: [], thinkingLevel: "off", model: null };
  const context = grown(path, kept.get(first)) ?? whole(path);
  kept.set(first, { last, count: path.length, context });
  return { ...context, messages: [...context.messages] };
}

/** The context from before with what was added since; undefined if it cannot go on like that. */
function grown(path: readonly SessionEntry[], before: Kept | undefined) {
  // The way to an entry never changes: where the last one still stands, all before it does.
  if (!before || path[before.count - 1] !== before.last) return undefined;
  const added = path.slice(before.count);
  if (added.some(({ type }) => type === "compaction")) return undefined;
  take(before.context, added);
  return before.context;
}

function whole(path: readonly SessionEntry[]): SessionContext {
  const context: SessionContext = { messages: [], thinkingLevel: "off", model: null };
  const compactedAt = path.findLastIndex(({ type }) => type === "compaction");
  const compaction = path[compactedAt];
  take(context, path);
  if (compaction?.type !== "compaction") return context;
  const { summary, tokensBefore, firstKeptEntryId } = compaction;
  const timestamp = timeOf(compaction);
  const before = path.slice(0, compactedAt);
  const firstKept = before.findIndex(({ id }) => id === firstKeptEntryId);
  // A first kept entry that is not on the path before, such as the compaction's own id: none.
  const keptEntries = firstKept === -1 ? [] : before.slice(firstKept);
  context.messages = [{ role: "compactionSummary", summary, tokensBefore, timestamp }];
  take(context, [...keptEntries, ...path.slice(compactedAt + 1)]);
  return context;
}

/** Adds what further entries say. */
function take(context: SessionContext, entries: readonly SessionEntry[]): void {
  for (const entry of entries) {
    if (entry.type === "thinking_level_change") context.thinkingLevel = entry.thinkingLevel;
    else if (entry.type === "model_change") {
      context.model = { provider: entry.provider, modelId: entry.modelId };
    } else if (entry.type === "message" && entry.message.role === "assistant") {
      context.model = { provider: entry.message.provider, modelId: entry.message.model };
    }
    const message = messageOfEntry(entry);
    if (message) context.messages.push(message);
  }
}

/** An entry as it stands in the conversation, if it does. */
function messageOfEntry(entry: SessionEntry): AgentMessage | undefined {
  switch (entry.type) {
    case "message":
      return entry.message;
    case "custom_message": {
      const { customType, content, display, details } = entry;
      return { role: "custom", customType, content, display, details, timestamp: timeOf(entry) };
    }
    case "branch_summary": {
      const { summary, fromId } = entry;
      if (!summary) return undefined;
      return { role: "branchSummary", summary, fromId, timestamp: timeOf(entry) };
    }
    default:
      return undefined;
  }
}

function timeOf(entry: SessionEntry): number {
  return new Date(entry.timestamp).getTime();
}
