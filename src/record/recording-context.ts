import type { LineRedactor } from "./checkpoint/stored-transcript.ts";
import type { HeardCommits } from "./heard-commits.ts";
import type { Redaction } from "./redact/index.ts";
import type { RepoRecord } from "./repo-record.ts";
import type { SessionState } from "./session/state.ts";

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
  /**
   * Long work that changes nothing in the repository but what is known of these sessions. What git
   * wants to know is answered meanwhile.
   */
  aside<T>(sessions: readonly SessionState[], work: () => Promise<T>): Promise<T>;
  /** Whether what is known of a session is changed by such work that is under way. */
  isAside(session: SessionState): boolean;
}
