import { type FSWatcher, watch } from "node:fs";

/** How often a folder is looked at in which nothing seems to change. */
const LOOK_MS = 1_000;

/** Wakes up when something in a folder changes, and every now and then without that. */
export class FolderChange {
  readonly #signal: AbortSignal;
  #watcher: FSWatcher | undefined;
  #wake: (() => void) | undefined;
  #isPending = false;

  constructor(folder: string, signal: AbortSignal) {
    this.#signal = signal;
    try {
      this.#watcher = watch(folder, () => this.#woken());
      // Without it the folder is looked at every second.
      this.#watcher.on("error", () => this.close());
    } catch {
      this.#watcher = undefined;
    }
    signal.addEventListener("abort", this.#woken, { once: true });
  }

  next(): Promise<void> {
    if (this.#isPending || this.#signal.aborted) {
      this.#isPending = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(this.#woken, LOOK_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#signal.removeEventListener("abort", this.#woken);
  }

  readonly #woken = (): void => {
    const wake = this.#wake;
    this.#wake = undefined;
    this.#isPending = wake === undefined;
    wake?.();
  };
}
