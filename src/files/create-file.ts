import { linkSync, writeFileSync } from "node:fs";
import { systemCode } from "../errors/index.ts";
import { discard } from "./discard.ts";

/** What disks say that know no second name of a file. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP"]);

/**
 * Creates a file for the user alone; false if there is one already. It appears with its content, or
 * not at all: nobody ever reads an empty one, as far as the disk can do that.
 */
export function createFile(path: string, text: string): boolean {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    return orFalse(() => linkSync(temporary, path));
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    return orFalse(() => writeNew(path, text));
  } finally {
    discard(temporary);
  }
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // A full disk leaves an empty file, and it would look as if somebody else had been first.
    if (systemCode(error) !== "EEXIST") discard(path);
    throw error;
  }
}

function orFalse(create: () => void): boolean {
  try {
    create();
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}
