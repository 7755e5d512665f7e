import { type BoundaryContext, convertToLlm, type EntryDraft } from "../events/index.ts";
import { tokensInContext } from "./compact.ts";
import type { Core } from "./core.ts";
import { buildSessionProjection } from "./session/index.ts";

/** What the model would be asked with, for an extension that decides whether it is. */
export function boundaryContext({ session, queue }: Core): BoundaryContext {
  const { tree } = session;
  const { entries, messages } = buildSessionProjection(tree.getEntries(), tree.getLeafId());
  const llmMessages = convertToLlm(messages);
  const pendingMessages = queue.list().map(({ message }) => message);
  const last = llmMessages.at(-1)?.role;
  const isToAnswer = last !== undefined && last !== "assistant";
  return {
    contextEntries: entries,
    contextMessages: messages,
    llmMessages,
    pendingMessages,
    canContinue: isToAnswer || pendingMessages.length > 0,
  };
}

/**
 * Adds what extensions want in the session: all of it, or nothing if one of them concerns an entry
 * that is not there.
 */
export function appendDrafts(core: Core, drafts: readonly EntryDraft[]): void {
  const { tree } = core.session;
  const missing = drafts.map(targetOf).find((id) => id !== undefined && !tree.getEntry(id));
  if (missing !== undefined) {
    core.log("warn", `An extension wants to change an entry that is not there: ${missing}.`);
    return;
  }
  for (const draft of drafts) append(core, draft);
}

function targetOf(draft: EntryDraft): string | undefined {
  if (draft.type === "context_edit") return draft.targetId;
  return draft.type === "compaction" ? (draft.firstKeptEntryId ?? undefined) : undefined;
}

function append(core: Core, draft: EntryDraft): void {
  const { tree } = core.session;
  switch (draft.type) {
    case "custom":
      tree.appendCustomEntry(draft.customType, draft.data);
      break;
    case "custom_message": {
      const { customType, content, display = true, details } = draft;
      tree.appendCustomMessageEntry(customType, content, display, details);
      break;
    }
    case "context_edit": {
      const { targetId, replacement } = draft;
      tree.append({ type: "context_edit", targetId, replacement });
      break;
    }
    case "compaction": {
      const { summary, firstKeptEntryId, details } = draft;
      const tokensBefore = tokensInContext(core);
      const result = { summary, firstKeptEntryId: firstKeptEntryId ?? "", tokensBefore, details };
      tree.appendCompaction(result, true);
      break;
    }
  }
}
