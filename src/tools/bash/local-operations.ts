import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { messageOf, systemCode } from "../../errors/index.ts";
import { findProgram } from "../find-program.ts";
import type { BashOperations } from "./operations.ts";
import { killGroup, trackGroup } from "./process-group.ts";

/** After the shell has ended: how long its pipe may be silent, and how long it is read at most. */
const IDLE_MS = 100;
const LINGER_MS = 1000;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs commands on this machine. For extensions that change a command and then want it run as usual.
 *
 * @example
 * const local = createLocalBashOperations();
 * await local.exec("echo hello", process.cwd(), { onData: (data) => process.stdout.write(data) });
 */
export function createLocalBashOperations(options: { shellPath?: string } = {}): BashOperations {
  return {
    async exec(command, cwd, { onData, signal, timeout, env }) {
      await requireFolder(cwd);
      const shell = await findShell(options.shellPath);
      if (signal?.aborted) throw new Error("aborted");
      const child = start(shell, command, cwd, env);
      const untrack = child.pid === undefined ? () => {} : trackGroup(child.pid);

      let stopped: "aborted" | `timeout:${number}` | undefined;
      let killed: Promise<void> | undefined;
      const stop = (why: typeof stopped) => {
        stopped ??= why;
        if (child.pid !== undefined) killed ??= killGroup(child.pid);
      };
      const onAbort = () => stop("aborted");
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer =
        timeout !== undefined && timeout > 0
          ? setTimeout(stop, Math.min(timeout * 1000, LONGEST_TIMER_MS), `timeout:${timeout}`)
          : undefined;
      try {
        const exitCode = await finished(child, shell, onData);
        // The shell may be gone before those it started.
        await killed;
        if (stopped) throw new Error(stopped);
        return { exitCode };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        untrack();
      }
    },
  };
}

async function requireFolder(cwd: string): Promise<void> {
  const isFolder = await stat(cwd).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(`There is no folder ${cwd} to run the command in.`);
}

/**
 * The outer sh joins both outputs into one pipe before it becomes the shell: read from two pipes,
 * their order would be lost. Its own process group makes everything it starts stoppable.
 */
function start(
  shell: string,
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv | undefined,
): ChildProcess {
  try {
    return spawn("/bin/sh", ["-c", 'exec "$@" 2>&1', "sh", shell, "-c", command], {
      cwd,
      env: env ?? process.env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    if (systemCode(error) !== "E2BIG") throw error;
    throw new Error("The command is too long. Put it into a script with write and run that.", {
      cause: error,
    });
  }
}

/**
 * Waits for the shell, not for the end of its output: something left in the background keeps the
 * pipe open for as long as it lives.
 */
function finished(
  child: ChildProcess,
  shell: string,
  onData: (data: Buffer) => void,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let exited: { code: number | null; lastSign: number; end: number } | undefined;
    let watch: NodeJS.Timeout | undefined;
    const settle = (code: number | null) => {
      clearInterval(watch);
      child.stdout?.destroy();
      resolve(code);
    };
    child.stdout?.on("data", (data: Buffer) => {
      if (exited) exited.lastSign = Date.now();
      onData(data);
    });
    child.on("error", (error) => {
      reject(new Error(`Cannot start ${shell}: ${messageOf(error)}`, { cause: error }));
    });
    child.on("close", settle);
    child.on("exit", (code) => {
      const now = Date.now();
      const state = { code, lastSign: now, end: now + LINGER_MS };
      exited = state;
      watch = setInterval(() => {
        const time = Date.now();
        if (time - state.lastSign >= IDLE_MS || time >= state.end) settle(state.code);
      }, IDLE_MS / 4);
    });
  });
}

/** The shell commands run in: the one asked for, else bash, else what every system has. */
async function findShell(shellPath: string | undefined): Promise<string> {
  return shellPath ?? (await findProgram("bash", "sh")) ?? "/bin/sh";
}
