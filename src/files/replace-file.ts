import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { systemCode } from "../errors/index.ts";
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
    writeNew(temporary, content, { mode, flush });
    // The mode above is cut by the user's umask.
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/**
 * What has the name already is left over from a crash, or a link that somebody who can write in the
 * folder put there: it goes, and nothing is written through it.
 */
function writeNew(path: string, content: string | Buffer, options: Required<Options>): void {
  try {
    writeFileSync(path, content, { ...options, flag: "wx" });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, content, { ...options, flag: "wx" });
  }
}
