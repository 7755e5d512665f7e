import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "../../tools/index.ts";

const run = promisify(execFile);

/** A sandbox that takes longer than this to start counts as not working. */
const PROBE_MS = 5_000;

/**
 * The words that, put before a program and its arguments, run it in bubblewrap with these options.
 * Undefined: bubblewrap is not installed, or this system does not let it do that.
 */
export async function bubblewrap(options: readonly string[]): Promise<string[] | undefined> {
  const program = await findProgram("bwrap");
  if (program === undefined) return undefined;
  try {
    await run(program, [...options, "--", "/bin/sh", "-c", ":"], { timeout: PROBE_MS });
    return [program, ...options, "--"];
  } catch {
    return undefined;
  }
}
