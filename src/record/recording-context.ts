import type { LineRedactor } from "./checkpoint/stored-transcript.ts";
import type { HeardCommits } from "./heard-commits.ts";
import type { Redaction } from "./redact/index.ts";
import type { RepoRecord } from "./repo-record.ts";

export type Log = (level: "info" | "warn", text: string, error?: unknown) => void;

/** Takes secrets out of whatever is about to enter git. */
export interface SecretRemover extends LineRedactor {
  document(content: Buffer): Promise<{ bytes: Buffer; redactions: readonly Redaction[] }>;
  text(text: string): Promise<string>;
}

/** What everything that records needs at hand. */
export interface RecordingContext {
  readonly record: RepoRecord;
  readonly commits: HeardCommits;
  readonly redactor: SecretRemover;
  readonly version: string;
  readonly log: Log;
}
