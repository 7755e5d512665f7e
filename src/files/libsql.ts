import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type Libsql from "libsql";

let loaded: typeof Libsql | undefined;

/** SQLite, loaded with the first database that is opened: most commands need none of its machine code. */
export function libsql(): typeof Libsql {
  loaded ??= createRequire(import.meta.url)("libsql") as typeof Libsql;
  return loaded;
}

/**
 * The name by which SQLite opens a file for this process alone, in all of its threads. What connections
 * share about a log of writes is then in memory and not in a mapped file beside the database: the
 * system ends a process that looks at a mapped file after somebody cut it.
 */
export function forThisProcess(path: string): string {
  return `${pathToFileURL(path).href}?vfs=unix-excl`;
}
