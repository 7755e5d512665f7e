import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { discard } from "./discard.ts";

interface Options {
  readonly mode?: number;
  /** Also after a power cut it is the old content or the new. */
  readonly flush?: boolean;
}

/** Others see the old content or the new, never a part. For the user alone, if not said otherwise. */
export function replaceFile(path: string, content: string | Buffer, options: Options = {}): void {
  const { mode = 0o600, flush = false } = options;
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode, flush });
    // The mode above is cut by the user's umask, and not that of a file left over from a crash.
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}
