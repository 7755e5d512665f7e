import { contentEntries } from "../transcripts/content-entries.ts";
import type { TranscriptFormat } from "../transcripts/format.ts";
import type { AgentSession } from "./session-store.ts";

/** What the user asked last. */
export function lastPrompt(format: TranscriptFormat, session: AgentSession): string | undefined {
  return lastSaid(format, session, "user");
}

/** What the model said last. */
export function lastAnswer(format: TranscriptFormat, session: AgentSession): string | undefined {
  return lastSaid(format, session, "assistant");
}

function lastSaid(format: TranscriptFormat, session: AgentSession, who: "user" | "assistant") {
  let said: string | undefined;
  for (const { entry } of contentEntries(format, session.content)) {
    const isOwn = entry.kind === who && entry.inSubagent === undefined;
    if (isOwn && entry.text !== undefined) said = entry.text;
  }
  return said;
}

/** Id of the entry that holds the result of a tool call. */
export function findToolResultEntry(
  format: TranscriptFormat,
  session: AgentSession,
  toolCallId: string,
): string | undefined {
  for (const { entry } of contentEntries(format, session.content)) {
    if (entry.kind === "tool_result" && entry.tool?.callId === toolCallId) return entry.id;
  }
  return undefined;
}

/**
 * A session of lines up to and with an entry; undefined if there is no such entry. Where an entry
 * is written again, its last form is kept.
 */
export function truncateLines(
  format: TranscriptFormat,
  session: AgentSession,
  entryId: string,
): AgentSession | undefined {
  let end: number | undefined;
  for (const located of contentEntries(format, session.content)) {
    if (located.entry.id === entryId) end = located.end;
  }
  return end === undefined ? undefined : { ...session, content: session.content.subarray(0, end) };
}
