import { explain } from "../errors/index.ts";
import type { Repo } from "../git/index.ts";
import type { RecordProblem } from "./problems.ts";
import type { Log } from "./recording-context.ts";
import { recordRefusal } from "./seam-dir.ts";

/**
 * Repositories whose record a newer Seam wrote. Nothing is written there, not even that: it is
 * kept in memory for `seam status`, and said once in the log.
 */
export class NewerRecords {
  readonly #log: Log;
  readonly #found = new Map<string, RecordProblem>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** `isKnown`: it was looked at before, so that its references need not be listed again. */
  async has(repo: Repo, isKnown: boolean): Promise<boolean> {
    const { commonDir } = repo;
    const refusal = await recordRefusal(repo, { refs: !isKnown });
    if (!refusal) {
      this.#found.delete(commonDir);
      return false;
    }
    const text = explain(refusal);
    if (!this.#found.has(commonDir)) this.#log("warn", text);
    this.#found.set(commonDir, { at: new Date().toISOString(), text, count: 1 });
    return true;
  }

  /** By the folder that all work trees of a repository share. */
  get problems(): ReadonlyMap<string, RecordProblem> {
    return this.#found;
  }
}
