import { type ChildProcess, spawn } from "node:child_process";
import type { ExecOptions, ExecResult } from "./api/extension-api.ts";

const MOST_OUTPUT = 256 * 1024 * 1024;
const GRACE_MS = 5_000;
// How long output may still come after a program was killed: a child of it may hold the pipe.
const DRAIN_MS = 200;

/** Runs a program without a shell. A program that cannot be started is exit code 1, not a throw. */
export function exec(
  command: string,
  args: readonly string[],
  cwd: string,
  { signal, timeout, cwd: otherCwd }: ExecOptions = {},
): Promise<ExecResult> {
  return new Promise((resolve) => {
    const out = { stdout: [] as Buffer[], stderr: [] as Buffer[], bytes: 0 };
    let killed = false;
    const timers: NodeJS.Timeout[] = [];
    const done = (code: number, extra = "") => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      const stdout = Buffer.concat(out.stdout).toString("utf8");
      const stderr = Buffer.concat(out.stderr).toString("utf8") + extra;
      resolve({ stdout, stderr, code, killed });
    };
    const kill = () => {
      if (killed) return;
      killed = true;
      killGroup(child, "SIGTERM");
      timers.push(setTimeout(() => killGroup(child, "SIGKILL"), GRACE_MS).unref());
    };
    let child: ChildProcess;
    try {
      // A group of its own, so that what it started can be ended with it.
      child = spawn(command, args, {
        cwd: otherCwd ?? cwd,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
    } catch (error) {
      return done(1, error instanceof Error ? error.message : String(error));
    }
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.on("data", (data: Buffer) => {
        out.bytes += data.length;
        if (out.bytes > MOST_OUTPUT) kill();
        else out[name].push(data);
      });
    }
    const codeOf = (code: number | null) => code ?? (killed ? 143 : 1);
    child.on("error", (error) => done(1, error.message));
    child.on("close", (code) => done(codeOf(code)));
    child.on("exit", (code) => {
      if (killed) timers.push(setTimeout(() => done(codeOf(code)), DRAIN_MS));
    });
    if (signal?.aborted) kill();
    signal?.addEventListener("abort", kill, { once: true });
    if (timeout) timers.push(setTimeout(kill, timeout));
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has ended by itself.
  }
}
