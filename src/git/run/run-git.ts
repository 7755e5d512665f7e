import { systemCode } from "../../errors/index.ts";
import { runProgram } from "../../programs/index.ts";
import { gitError, gitProgramFor, type SpawnOptions, startError } from "./spawn-git.ts";

export interface GitOptions extends SpawnOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ten minutes unless told; Infinity where it waits for another machine, or for the user. */
  readonly timeoutMs?: number | undefined;
}

export interface GitResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  /** 128 and more when a signal ended it. */
  readonly code: number;
}

/** How long git may take to put its lock files away once it was asked to end. */
const GRACE_MS = 2000;
/** What takes longer waits for something that does not come. */
const LONGEST_MS = 10 * 60_000;

/** Runs git to its end. Throws when it cannot be started, is aborted or takes too long. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { cwd, env, settings, input, signal, timeoutMs = LONGEST_MS } = options;
  if (signal?.aborted) throw signal.reason;
  const child = runProgram({ ...gitProgramFor(args, cwd, { env, settings }), input });
  let stopped: { readonly why: unknown } | undefined;
  const timers: NodeJS.Timeout[] = [];
  const stop = (why: unknown) => {
    stopped ??= { why };
    child.kill("SIGTERM");
    timers.push(setTimeout(() => child.kill("SIGKILL"), GRACE_MS));
  };
  const onAbort = () => stop(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (Number.isFinite(timeoutMs)) {
    const why = `it did not end within ${timeoutMs} ms`;
    timers.push(setTimeout(() => stop(gitError(args, cwd, why)), timeoutMs));
  }
  try {
    const {
      stdout,
      stderr,
      code,
      signal: name,
    } = await child.end.catch((error: unknown) => {
      // Whoever ran it is gone: that says nothing of git, and who asks again is answered.
      throw systemCode(error) === undefined ? error : startError(error, args, cwd);
    });
    if (stopped) throw stopped.why;
    return {
      stdout: Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength),
      stderr: Buffer.from(stderr).toString(),
      code: code ?? (name ? 128 : -1),
    };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Runs git and returns what it printed; throws SEAM_GIT with git's own words when it fails. */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { stdout, stderr, code } = await runGit(args, options);
  if (code !== 0) throw gitError(args, options.cwd, stderr.trim() || `exit code ${code}`);
  return stdout;
}
