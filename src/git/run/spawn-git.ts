import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { messageOf, SeamError, systemCode } from "../../errors/index.ts";
import { type Environment, gitEnvironment } from "./environment.ts";

let started = 0;

/** How many git processes this process has started: what tests count instead of time. */
export function gitProcesses(): number {
  return started;
}

/** The only place that starts git: never through a shell. */
export function spawnGit(
  args: readonly string[],
  cwd: string,
  env?: Environment,
): ChildProcessWithoutNullStreams {
  started++;
  return spawn("git", args, { cwd, env: gitEnvironment(env), stdio: "pipe", windowsHide: true });
}

/** Why git did not even start. */
export function startError(cause: unknown, args: readonly string[], cwd: string): SeamError {
  if (systemCode(cause) === "ENOENT" && !existsSync(cwd)) {
    return gitError(args, cwd, `the folder ${cwd} is not there`, cause);
  }
  return new SeamError("SEAM_GIT_MISSING", { detail: messageOf(cause) }, { cause });
}

export function gitError(
  args: readonly string[],
  cwd: string,
  detail: string,
  cause?: unknown,
): SeamError {
  const command = args.find((arg) => /^[a-z][a-z-]*$/.test(arg)) ?? "";
  return new SeamError("SEAM_GIT", { command, detail, cwd }, { cause });
}
