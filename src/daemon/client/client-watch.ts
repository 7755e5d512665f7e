import { statSync } from "node:fs";
import { join } from "node:path";
import type { DaemonPaths } from "../daemon-paths.ts";
import type { Log } from "../log.ts";
import { changedFiles, listPath, readList, spareListPath } from "./client-files.ts";
import { refreshClient } from "./ensure-client.ts";

/** A time at which the client was put right. */
export interface ClientRepair {
  /** ISO. */
  readonly at: string;
  readonly files: readonly string[];
}

const MOST_REPAIRS = 20;
/** Makes the next look compare the contents, whatever the times are. */
const UNKNOWN = "";

/**
 * Looks after the hook client: one that was changed or removed asks nobody, and no gate holds.
 * Looking costs a few file times; contents are compared only where those have changed.
 */
export class ClientWatch {
  readonly #paths: DaemonPaths;
  readonly #log: Log;
  readonly #onRepair: (text: string) => void;
  /** The times of files that were found to be right. Undefined: this user has no client. */
  #seen: string | undefined;
  readonly repairs: ClientRepair[] = [];

  constructor(paths: DaemonPaths, log: Log, onRepair: (text: string) => void) {
    this.#paths = paths;
    this.#log = log;
    this.#onRepair = onRepair;
  }

  /** Brings the client up to date, also one from an older Seam. */
  start(): void {
    this.#try(() => this.#refresh());
  }

  look(): void {
    // The stamp is taken before the contents are read, so that a later change is seen next time.
    const times = this.#times();
    if (this.#seen === undefined || this.#seen === times) return;
    this.#try(() => {
      const list = readList(this.#paths);
      // Another Seam may have brought it up to date.
      if (list && changedFiles(this.#paths, list).length === 0) this.#seen = times;
      else this.#refresh();
    });
  }

  #refresh(): void {
    const done = refreshClient(this.#paths);
    if (!done) return;
    this.#seen = UNKNOWN;
    const { repaired } = done;
    if (repaired.length === 0) return;
    this.repairs.push({ at: new Date().toISOString(), files: repaired });
    if (this.repairs.length > MOST_REPAIRS) this.repairs.shift();
    const { bin } = this.#paths;
    const paths = repaired.map((name) => join(bin, name)).join(", ");
    const what = "the hook client was changed or removed, so gates may have been open";
    this.#log.warn(`${what}; written again: ${paths}`);
    this.#onRepair(`${what}. It was written again.`);
  }

  #times(): string {
    const { bin, spare } = this.#paths;
    const names = ["hook", "ring.pl", "hook.cjs", "program", "environment.json"];
    const paths = [bin, spare].flatMap((folder) => names.map((name) => join(folder, name)));
    return [listPath(this.#paths), spareListPath(this.#paths), ...paths]
      .map((path) => {
        const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
        return stats ? `${stats.ino} ${stats.size} ${stats.ctimeNs} ${stats.mode}` : "gone";
      })
      .join("\n");
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#seen = this.#times();
      this.#log.failed("the hook client could not be put right", error);
    }
  }
}
