import { findProgram } from "../find-program.ts";

/** The shell commands run in: the one asked for, else bash, else what every system has. */
export async function findShell(shellPath: string | undefined): Promise<string> {
  return shellPath ?? (await findProgram("bash", "sh")) ?? "/bin/sh";
}
