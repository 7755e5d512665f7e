import { ftruncateSync, openSync, writeSync } from "node:fs";

/**
 * A file that names the extension whose code this thread runs, for the daemon that comes after one
 * that an extension killed. It is kept only by a daemon that follows one that died in the middle of a
 * hook: all others spare themselves the writing.
 */
export class DoingFile {
  readonly #fd: number;
  #path = "";

  constructor(file: string) {
    this.#fd = openSync(file, "w", 0o600);
  }

  /** An extension's code begins. It stays the last one until all is done: nobody knows what it left. */
  enters(path: string): void {
    if (path !== this.#path) this.#write(path);
  }

  /** Nothing is asked of any extension any more. */
  rests(): void {
    if (this.#path !== "") this.#write("");
  }

  #write(path: string): void {
    this.#path = path;
    try {
      ftruncateSync(this.#fd, 0);
      if (path !== "") writeSync(this.#fd, path, 0);
    } catch {
      // On a full disk nobody is named, and the hook is answered without the extensions in the end.
    }
  }
}
