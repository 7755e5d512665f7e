import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A command that never stops printing must not fill the disk. */
export const MAX_SAVED_BYTES = 256 * 1024 * 1024;

/**
 * A temporary file with the whole output of a command. Written synchronously on purpose: that slows
 * a fast command down instead of piling its output up in memory. A file that cannot be written is
 * given up; the command itself goes on.
 */
export class OutputFile {
  readonly #path = join(tmpdir(), `seam-bash-${randomUUID()}.log`);
  #descriptor: number | undefined;
  #bytes = 0;

  constructor() {
    this.#orGiveUp(() => {
      this.#descriptor = openSync(this.#path, "wx", 0o600);
    });
    this.path = this.#descriptor === undefined ? undefined : this.#path;
  }

  /** Undefined when there is no such file. */
  path: string | undefined;

  append(data: Buffer): void {
    const descriptor = this.#descriptor;
    this.#bytes += data.length;
    if (descriptor === undefined || this.#bytes > MAX_SAVED_BYTES) return;
    this.#orGiveUp(() => writeFileSync(descriptor, data));
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
    this.path = undefined;
  }

  #orGiveUp(write: () => void): void {
    try {
      write();
    } catch {
      this.remove();
    }
  }
}
