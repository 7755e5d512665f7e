import { statSync } from "node:fs";
import { runProgram } from "../../programs/index.ts";
import { findProgram } from "../../tools/index.ts";

/** A sandbox that takes longer than this to start counts as not working. */
const PROBE_MS = 5_000;

/** What was tried and works: how things are bound, and on which file systems they are. */
const works = new Set<string>();

/**
 * The words that, put before a program and its arguments, run it in bubblewrap with these options.
 * Undefined: bubblewrap is not installed, or this system does not let it do that.
 */
export async function bubblewrap(options: readonly string[]): Promise<string[] | undefined> {
  const program = await findProgram("bwrap");
  if (program === undefined) return undefined;
  const kind = kindOf([program, ...options]);
  if (!works.has(kind)) {
    if (!(await isStarted(program, options))) return undefined;
    works.add(kind);
  }
  return [program, ...options, "--"];
}

/** Whether something can be bound does not depend on its name, but on the file system it is on. */
function kindOf(words: readonly string[]): string {
  const kinds = words.map((word) => {
    if (!word.startsWith("/")) return word;
    return String(statSync(word, { throwIfNoEntry: false })?.dev);
  });
  return JSON.stringify(kinds);
}

async function isStarted(program: string, options: readonly string[]): Promise<boolean> {
  const args = [...options, "--", "/bin/sh", "-c", ":"];
  const probe = runProgram({ path: program, args, cwd: "/", env: process.env });
  const limit = setTimeout(() => probe.kill("SIGKILL"), PROBE_MS);
  try {
    return (await probe.end).code === 0;
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
  }
}
