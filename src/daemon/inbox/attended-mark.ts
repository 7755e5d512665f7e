import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A file that is there while somebody is attached to the inbox. A daemon that finds it when it starts
 * knows that the one before was killed, and that those who were attached come back in a moment.
 */
export class AttendedMark {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, "attended");
  }

  get isLeft(): boolean {
    return existsSync(this.#path);
  }

  set(isAttended: boolean): void {
    try {
      if (isAttended) writeFileSync(this.#path, "", { mode: 0o600 });
      else rmSync(this.#path, { force: true });
    } catch {
      // Without the file, questions after a crash get their fallback, as if nobody were there.
    }
  }
}
