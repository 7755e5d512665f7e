import { gitError, type SpawnOptions, spawnGit, startError } from "./spawn-git.ts";

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
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { cwd, env, settings, input, signal, timeoutMs = LONGEST_MS } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const child = spawnGit(args, cwd, { env, settings });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let stopped: unknown;
    const timers: NodeJS.Timeout[] = [];

    const stop = (why: unknown) => {
      stopped ??= why;
      child.kill("SIGTERM");
      timers.push(setTimeout(() => child.kill("SIGKILL"), GRACE_MS));
    };
    const onAbort = () => stop(signal?.reason);
    const settle = (code: number | null, name: NodeJS.Signals | null) => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (stopped !== undefined) return reject(stopped);
      const stderr = Buffer.concat(err).toString();
      resolve({ stdout: Buffer.concat(out), stderr, code: code ?? (name ? 128 : -1) });
    };

    signal?.addEventListener("abort", onAbort, { once: true });
    if (Number.isFinite(timeoutMs)) {
      const why = `it did not end within ${timeoutMs} ms`;
      timers.push(setTimeout(() => stop(gitError(args, cwd, why)), timeoutMs));
    }
    child.on("error", (error) => {
      stopped ??= startError(error, args, cwd);
      settle(null, null);
    });
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    // A helper that git left behind may hold the pipes open: nobody waits for it after a stop.
    child.on("exit", (code, name) => stopped !== undefined && settle(code, name));
    child.on("close", settle);
    // git may end before it has read everything; its exit code says more than a broken pipe.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** Runs git and returns what it printed; throws SEAM_GIT with git's own words when it fails. */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { stdout, stderr, code } = await runGit(args, options);
  if (code !== 0) throw gitError(args, options.cwd, stderr.trim() || `exit code ${code}`);
  return stdout;
}
