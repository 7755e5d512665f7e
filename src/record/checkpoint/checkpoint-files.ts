import { createHash, randomBytes } from "node:crypto";

/** Ids of Seam are 12 hex digits; imported ones may be ULIDs. */
const ID = /^(?:[0-9a-f]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25})$/;

export function newCheckpointId(): string {
  return randomBytes(6).toString("hex");
}

/** For a commit whose message has no id: always the same, so that it is written once. */
export function idOfCommit(commit: string): string {
  return createHash("sha256").update(commit).digest("hex").slice(0, 12);
}

export function isCheckpointId(text: string): boolean {
  return ID.test(text);
}

/** The folder of a checkpoint: two levels, so that no folder gets too long. */
export function checkpointPath(id: string): string {
  return `${id.slice(0, 2)}/${id.slice(2)}`;
}

export const METADATA = "metadata.json";
export const TRANSCRIPT = "full.jsonl";
export const PROMPT = "prompt.txt";
export const CONTENT_HASH = "content_hash.txt";

/** Between two prompts of one checkpoint. */
export const PROMPT_SEPARATOR = "\n\n---\n\n";

/** A transcript as it was before its agent wrote it anew. */
export function earlierTranscript(n: number): string {
  return `earlier-${n}.jsonl`;
}
