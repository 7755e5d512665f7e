import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { groupEnds, signalGroup } from "./process-group.ts";

export interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What is undefined is not there at all. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** A folder for what it prints. */
  readonly logs: string;
}

export interface Exit {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const GRACE_MS = 3000;

/** Runs it in a process group of its own and leaves nothing of that group behind. */
export async function runProgram(run: Run): Promise<Exit> {
  mkdirSync(run.logs, { recursive: true });
  const out = join(run.logs, "stdout");
  const err = join(run.logs, "stderr");
  // Files, not pipes: a grandchild that stays would keep a pipe open and us waiting.
  const files = [openSync(out, "w"), openSync(err, "w")] as const;
  const child = spawn(run.command, run.args, {
    cwd: run.cwd,
    env: run.env,
    detached: true,
    stdio: ["ignore", ...files],
  });
  for (const file of files) closeSync(file);
  // 0 where it could not be started: then there is no group, and "error" tells why.
  const group = child.pid ?? 0;
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void endGroup(group);
  }, run.timeoutMs);
  const ended = await new Promise<Pick<Exit, "code" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  }).finally(() => clearTimeout(timer));
  // Hooks of the session's end may still be at work.
  if (!(await groupEnds(group, GRACE_MS))) await endGroup(group);
  const stdout = readFileSync(out, "utf8");
  const stderr = readFileSync(err, "utf8");
  return { ...ended, timedOut, stdout, stderr };
}

async function endGroup(group: number): Promise<void> {
  signalGroup(group, "SIGTERM");
  if (await groupEnds(group, GRACE_MS)) return;
  signalGroup(group, "SIGKILL");
  await groupEnds(group, GRACE_MS);
}
