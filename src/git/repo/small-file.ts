import { lstatSync, type Stats, statSync } from "node:fs";
import { LARGE_FILE, readRegularText } from "../../files/index.ts";
import { isAbsent } from "../run/is-absent.ts";

/** The text of a small file of the git folder; undefined when it is not there. Throws for a pipe. */
export function readSmall(path: string): string | undefined {
  return unlessAbsent(() => readRegularText(path, LARGE_FILE));
}

export function statOf(path: string | Buffer): Stats | undefined {
  return unlessAbsent(() => statSync(path, { throwIfNoEntry: false }));
}

/** The facts of a link itself, and not of the file it leads to. */
export function lstatOf(path: string | Buffer): Stats | undefined {
  return unlessAbsent(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Node has an option for a missing file, but not for a path through something that is no folder. */
function unlessAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export const isFolder = (path: string) => statOf(path)?.isDirectory() ?? false;
export const isThere = (path: string | Buffer) => statOf(path) !== undefined;
