import { messageOf } from "../../errors/index.ts";
import type { GitRequest, RepoProblem } from "../../record/index.ts";
import { parseGitRequest } from "../../record/index.ts";
import type { Log } from "../log.ts";

/** The name under which git's own hooks come in, where agents have theirs. */
export const GIT = "git";

/**
 * What the daemon needs of the record beside `Recorder`. A recorder that keeps no record does not
 * have this part.
 */
export interface RecordService {
  /** Resolves when git may go on. */
  git?(request: GitRequest): Promise<void>;
  /** The request with the commit it is about, looked up while that is still true. */
  withCommit?(request: GitRequest): Promise<GitRequest>;
  /** Ends sessions whose agents are gone without a word. */
  endGone?(): Promise<void>;
  /** The same, and all else that is due from time to time. */
  sweep?(): Promise<void>;
  /**
   * Is called when something that an agent did in a folder was lost before it could be recorded.
   */
  lost?(folder: string, what: string): Promise<void>;
  /** The agent goes on although the hook with this id, which started its turn, is not recorded yet. */
  overtaken?(hookId: string): void;
  /** Deletes a session everywhere in the repository of a folder. */
  forget?(folder: string, session: string): Promise<void>;
  /** What could not be recorded, and could not even be noted on disk. */
  problems?(): readonly RepoProblem[];
}

/** Hooks git waits for, because they can change what it does. All others are recorded later. */
const AWAITED: ReadonlySet<string> = new Set(["prepare-commit-msg", "commit-msg"]);

/**
 * A person waits for the commit, so the daemon answers in this time: a missing trailer is the
 * lesser harm.
 */
const MOST_MS = 1_800;

/** How long git waits until the daemon has read what watched agents wrote before they ran git. */
const MOST_BEFORE_MS = 500;

interface Parts {
  readonly records: RecordService;
  readonly log: Log;
  /** Resolves when what agents that are only watched did in a folder so far is known. */
  readonly before?: (folder: string) => Promise<void>;
}

/** Takes the hooks of git: has the record answer those that git waits for, and hands on the others. */
export class GitHookService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Gives what is still to be recorded; undefined if nothing more is to be done. */
  async handle(hook: string, text: string): Promise<GitRequest | undefined> {
    const { records, log } = this.#parts;
    const request = parseGitRequest(hook, text);
    if (!request) {
      log.warn(`git ${hook}: the request makes no sense`);
      return undefined;
    }
    await within(MOST_BEFORE_MS, async () => this.#parts.before?.(request.cwd)).catch((error) =>
      log.failed(`git ${hook}: what agents wrote could not be read first`, error),
    );
    try {
      if (!AWAITED.has(hook)) return (await records.withCommit?.(request)) ?? request;
      // The record takes it after all that happened before in this repository: only then does it know
      // whose work is in the commit.
      await within(MOST_MS, async () => records.git?.(request));
    } catch (error) {
      const what = `git ${hook} could not be answered`;
      log.failed(what, error);
      void records.lost?.(request.cwd, `${what}: ${messageOf(error)}`);
    }
    return undefined;
  }
}

function within(ms: number, work: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms.`)), ms);
    work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
