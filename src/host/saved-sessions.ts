import { SessionFile, type SessionProblem } from "./session/index.ts";
import type { SessionPlace } from "./session-control.ts";

/** Where sessions are saved. */
export interface SavedSessionsOptions {
  /** The project; without it the current folder. */
  readonly cwd?: string;
  /** The folder the files are in; without it the project's in Seam's home, as for `seam run`. */
  readonly dir?: string;
  /** Every entry has to survive a power failure, not only the end of the process. */
  readonly durable?: boolean;
  /** Is called with what could not be read of a file. The file opens nevertheless. */
  readonly onProblem?: (problem: SessionProblem, file: string) => void;
}

/**
 * Sessions that are kept in files: for `session` and `sessions` of `createAgent`.
 *
 * @example
 * const sessions = savedSessions();
 * const agent = await createAgent({ session: sessions.create(), sessions });
 */
export function savedSessions(options: SavedSessionsOptions = {}): SessionPlace {
  const { cwd = process.cwd(), dir, durable = false, onProblem } = options;
  const folder = dir === undefined ? {} : { dir };
  return {
    create: (start = {}) => SessionFile.create({ cwd, durable, ...folder, ...start }),
    open: (file) => {
      const { session, problems } = SessionFile.open(file, { cwd, durable });
      for (const problem of problems) onProblem?.(problem, file);
      return session;
    },
  };
}
