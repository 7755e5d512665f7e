import type { TranscriptEntry } from "../transcripts/entry.ts";

/** What every line of a transcript can say. */
export type CommonFields = Pick<TranscriptEntry, "id" | "at" | "inSubagent" | "session" | "cwd">;
