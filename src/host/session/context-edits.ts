import type { AgentMessage, ContextEditEntry, SessionEntry } from "../../events/index.ts";

/** Entries as the model is to see them: changed or hidden by the edits on the whole path. */
export function withEdits(
  entries: readonly SessionEntry[],
  path: readonly SessionEntry[] = entries,
): readonly SessionEntry[] {
  const edits = new Map<string, ContextEditEntry["replacement"]>();
  for (const entry of path) {
    if (entry.type === "context_edit") edits.set(entry.targetId, entry.replacement);
  }
  if (edits.size === 0) return entries;
  return entries.flatMap((entry) => {
    const replacement = edits.get(entry.id);
    if (replacement === undefined) return entry;
    return replacement === null ? [] : edited(entry, replacement.content);
  });
}

function edited(entry: SessionEntry, content: unknown): SessionEntry {
  if (entry.type === "custom_message") return Object.assign({ ...entry }, { content });
  if (entry.type !== "message" || !("content" in entry.message)) return entry;
  // Whoever edits an entry gives a content of its kind.
  const message: AgentMessage = Object.assign({ ...entry.message }, { content });
  return { ...entry, message };
}
