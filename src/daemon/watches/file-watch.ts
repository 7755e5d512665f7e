import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Tells that a file may have changed. The system tells of changes in the folder the file is in; what
 * it does not tell (no watch could be had, the folder was replaced) is found out by `check`.
 */
export class FileWatch {
  readonly #path: string;
  readonly #onChange: () => void;
  #watcher: FSWatcher | undefined;
  #folder: string | undefined;
  #print: string | undefined;

  constructor(path: string, onChange: () => void) {
    this.#path = path;
    this.#onChange = onChange;
  }

  /** Two looks at the file system; to be called now and then. */
  check(): void {
    const folder = printOf(dirname(this.#path));
    if (folder !== this.#folder || (this.#watcher === undefined && folder !== undefined)) {
      this.#folder = folder;
      this.#watch();
    }
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    const print = stats && `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
    if (print === this.#print) return;
    this.#print = print;
    if (print !== undefined) this.#onChange();
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #watch(): void {
    this.close();
    if (this.#folder === undefined) return;
    const name = basename(this.#path);
    try {
      this.#watcher = watch(dirname(this.#path), { persistent: false }, (_, changed) => {
        if (changed === null || changed === name) this.#onChange();
      });
      this.#watcher.on("error", () => this.close());
    } catch {
      // There are as many watches as the system allows: `check` does without.
    }
  }
}

/** Undefined if there is no such folder. */
function printOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined;
}
