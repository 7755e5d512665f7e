import { existsSync } from "node:fs";
import { findProgram } from "../../tools/index.ts";
import { bubblewrap } from "./bubblewrap.ts";

/** Nothing outside of it can be changed: no file, no process, nothing behind a network. */
const CLOSED = [
  "--unshare-pid",
  "--unshare-net",
  "--unshare-ipc",
  "--die-with-parent",
  "--new-session",
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--tmpfs",
  "/tmp",
  "--tmpfs",
  "/var/tmp",
  "--setenv",
  "TMPDIR",
  "/tmp",
] as const;

/**
 * The words that, put before a shell command, run it where it can read everything and change
 * nothing: bubblewrap's, where that is installed and this system lets it work. Undefined: it does not.
 */
export async function readerSandbox(folders: readonly string[]): Promise<string[] | undefined> {
  // Temporary folders are empty inside; what is worked on may be in one.
  const seen = folders.filter((folder) => existsSync(folder));
  const words = await bubblewrap([
    ...CLOSED,
    ...seen.flatMap((folder) => ["--ro-bind", folder, folder]),
  ]);
  return words && [...words, (await findProgram("bash")) ?? "/bin/sh", "-c"];
}
