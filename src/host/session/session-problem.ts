/**
 * - `torn`: the end of the file was cut off while it was written
 * - `garbage`: a line that is no entry; it stays in the file and is left out in memory
 * - `malformed`: an entry that lacks what its type needs; it keeps its place and does nothing
 * - `header`: the first line is missing or damaged, or of a version not known yet
 * - `duplicate`, `orphan`, `cycle`: entries that do not form a tree
 */
type SessionProblemKind =
  | "torn"
  | "garbage"
  | "malformed"
  | "header"
  | "duplicate"
  | "orphan"
  | "cycle";

/** Something about a session file that is not as it should be. Never fatal: the session opens. */
export interface SessionProblem {
  readonly kind: SessionProblemKind;
  readonly message: string;
  /** The first line is 1. */
  readonly line?: number;
  readonly entryId?: string;
}
