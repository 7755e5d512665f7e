import { contentEntries } from "../transcripts/content-entries.ts";
import type { EntryTool, TranscriptEntry } from "../transcripts/entry.ts";
import type { TranscriptFormat } from "../transcripts/format.ts";
import type { AgentSession } from "./session-store.ts";

/** The session with what its content says: when it began, its entries, and the files it changed. */
export function withDetails(format: TranscriptFormat, session: AgentSession): AgentSession {
  const entries = Array.from(contentEntries(format, session.content), ({ entry }) => entry);
  const startTime = entries.find(({ at }) => at !== undefined)?.at;
  return {
    ...session,
    entries,
    ...changesOf(entries),
    ...(startTime !== undefined && { startTime }),
  };
}

function changesOf(entries: readonly TranscriptEntry[]) {
  const failed = new Set(
    entries.flatMap(({ tool }) => (tool?.isError && tool.callId !== undefined ? tool.callId : [])),
  );
  const stood = entries.flatMap(({ tool }): EntryTool[] => {
    const isIn = tool?.files && !tool.isError;
    return isIn && !(tool.callId !== undefined && failed.has(tool.callId)) ? [tool] : [];
  });
  const modified = new Set<string>();
  const made = new Set<string>();
  const deleted = new Set<string>();
  for (const { files = [], written = [], deleted: gone = [] } of stood) {
    for (const file of files) {
      // A file that was changed before it was written as a whole had been there.
      if (written.includes(file) && !modified.has(file)) made.add(file);
      if (!gone.includes(file)) deleted.delete(file);
      modified.add(file);
    }
    for (const file of gone) {
      // A file that the session made and deleted again does not count.
      if (made.delete(file)) modified.delete(file);
      else deleted.add(file);
    }
  }
  return { modifiedFiles: [...modified], newFiles: [...made], deletedFiles: [...deleted] };
}
