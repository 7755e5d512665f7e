import { join } from "node:path";
import { runCommand } from "../commands/run-command.ts";
import type { Proof } from "../model/run.ts";

export interface ProveOptions {
  /** The workspace in which the commit is checked out. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly commit: string;
  /** Where the outputs are kept, one file for each command. */
  readonly folder: string;
  /** For each command. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What is put before each command: what agents wrote is run by it. */
  readonly walls?: readonly string[];
}

/**
 * Runs commands one after the other and keeps what they printed and how they ended. The first that
 * does not end with 0 is the last that is run: what comes after it may rely on it.
 */
export async function prove(commands: readonly string[], options: ProveOptions): Promise<Proof> {
  const { folder, commit, ...rest } = options;
  const checks: Proof["checks"][number][] = [];
  for (const [at, command] of commands.entries()) {
    const file = join(folder, `${at + 1}.log`);
    const { killed, ...end } = await runCommand(command, { ...rest, file });
    checks.push({ command, ...end, file, ...(killed > 0 && { killed }) });
    if (end.exitCode !== 0) return { passed: false, commit, checks };
  }
  return { passed: true, commit, checks };
}
