import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { messageOf, SeamError, systemCode } from "../../errors/index.ts";
import { type Environment, gitEnvironment } from "./environment.ts";
import { gitProgram } from "./git-program.ts";
import { gitArguments, type Setting } from "./own-programs.ts";

let started = 0;

export interface SpawnOptions {
  /** Also the way to set what is kept from git otherwise, such as GIT_INDEX_FILE. */
  readonly env?: Environment | undefined;
  /** For this call, over everything else. Commands that may run filters need them: `ownFilters`. */
  readonly settings?: readonly Setting[] | undefined;
}

/** How many git processes this process has started: what tests count instead of time. */
export function gitProcesses(): number {
  return started;
}

/**
 * The only place that says how git is started: never through a shell, in an environment and with
 * settings that leave a repository no way to have something run.
 */
export function gitProgramFor(
  args: readonly string[],
  cwd: string,
  { env, settings }: SpawnOptions = {},
) {
  const all = gitArguments(args, settings);
  const asked = gitEnvironment(env);
  const { path, searched } = gitProgram(cwd, asked.PATH);
  started++;
  return { path, args: all, cwd, env: { ...asked, PATH: searched } };
}

/** Starts a git that goes on while it is talked to. */
export function spawnGit(
  args: readonly string[],
  cwd: string,
  options: SpawnOptions = {},
): ChildProcessWithoutNullStreams {
  const { path, args: all, env } = gitProgramFor(args, cwd, options);
  return spawn(path, all, { cwd, env, windowsHide: true, stdio: "pipe" });
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
