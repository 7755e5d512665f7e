import type { GitRequest } from "../../record/index.ts";
import { parseGitRequest } from "../../record/index.ts";
import type { Log } from "../log.ts";
import type { RecordQueue } from "../record-queue.ts";

/** The name under which git's own hooks come. */
export const GIT = "git";

/** What deals with the hooks of git: the recorder, where there is a record. */
export interface GitRecords {
  /** Resolves when git may go on. */
  git?(hook: string, request: GitRequest): Promise<void>;
  /** What the hook is about, looked up while that is still true. */
  about?(hook: string, request: GitRequest): Promise<string>;
  /** Ends sessions whose agents are gone without a word. */
  sweep?(): Promise<void>;
}

/** Hooks git waits for, because they can change what it does. All others are recorded later. */
const AWAITED: ReadonlySet<string> = new Set(["prepare-commit-msg", "commit-msg"]);

/** A person waits for the commit: better a trailer too few. */
const MOST_MS = 3_000;

interface Parts {
  readonly records: GitRecords;
  readonly queue: RecordQueue;
  readonly log: Log;
}

/** The way of git's hooks. */
export class GitDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** True if it is done with; else the text that has to be recorded. */
  async handle(hook: string, text: string): Promise<true | string> {
    const { records, queue, log } = this.#parts;
    const request = parseGitRequest(text);
    if (!request) {
      log.warn(`git ${hook}: the request makes no sense`);
      return true;
    }
    try {
      if (!AWAITED.has(hook)) return text + ((await records.about?.(hook, request)) ?? "");
      await within(MOST_MS, async () => {
        // Whose work is in the commit is known once all that happened before is recorded.
        await queue.settled();
        await records.git?.(hook, request);
      });
    } catch (error) {
      log.failed(`git ${hook} could not be answered`, error);
    }
    return true;
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
