import { spawn } from "node:child_process";
import type { ExecOptions, ExecResult } from "./api/extension-api.ts";

const MOST_OUTPUT = 256 * 1024 * 1024;
const GRACE_MS = 5_000;

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
    let timer: NodeJS.Timeout | undefined;
    let hardKill: NodeJS.Timeout | undefined;
    const child = spawn(command, args, {
      cwd: otherCwd ?? cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const kill = () => {
      if (killed) return;
      killed = true;
      child.kill("SIGTERM");
      hardKill = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
      hardKill.unref();
    };
    const done = (code: number, extra = "") => {
      clearTimeout(timer);
      clearTimeout(hardKill);
      signal?.removeEventListener("abort", kill);
      const stdout = Buffer.concat(out.stdout).toString("utf8");
      const stderr = Buffer.concat(out.stderr).toString("utf8") + extra;
      resolve({ stdout, stderr, code, killed });
    };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (data: Buffer) => {
        out.bytes += data.length;
        if (out.bytes > MOST_OUTPUT) kill();
        else out[name].push(data);
      });
    }
    child.on("error", (error) => done(1, error.message));
    child.on("close", (code) => done(code ?? (killed ? 143 : 1)));
    if (signal?.aborted) kill();
    signal?.addEventListener("abort", kill, { once: true });
    if (timeout) timer = setTimeout(kill, timeout);
  });
}
