import { type ChildProcess, spawn } from "node:child_process";
import type { SeamEvent } from "agentseam";
import type { AgentFile } from "./agents.ts";
import { follow, type Run } from "./run.ts";
import { seamCommand } from "./seam-command.ts";

const KILL_AFTER_MS = 2_000;
const SHOW_EVERY_MS = 100;
const LONGEST_COMPLAINT = 2_000;

export interface Surroundings {
  readonly cwd: string;
  /** Files of extensions that a child does not find by itself. */
  readonly extensions: readonly string[];
  /** For agents that name none. */
  readonly model: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: () => void;
}

/** Works on one task in a process of its own, until it ends or is aborted. Never throws. */
export async function runChild(run: Run, agent: AgentFile, around: Surroundings): Promise<void> {
  const { cwd, signal, onProgress } = around;
  if (signal?.aborted) {
    run.status = "aborted";
    return;
  }
  const model = agent.model ?? around.model;
  const args = [
    ...["run", "--mode", "json", "--no-session", "-p", `Task: ${run.task}`],
    ...around.extensions.flatMap((file) => ["-e", file]),
    ...(model === undefined ? [] : ["--model", model]),
    ...(agent.tools ? ["--tools", agent.tools.join(",")] : []),
    ...(agent.prompt === "" ? [] : ["--append-system-prompt", agent.prompt]),
  ];
  run.status = "running";
  onProgress();
  const { code, complaint } = await finished(args, cwd, signal, reader(run, onProgress));
  if (signal?.aborted) run.status = "aborted";
  else if (code === 0 && run.error === undefined) run.status = "done";
  else {
    run.status = "failed";
    run.error ??= complaint === "" ? `It ended with code ${code}.` : complaint;
  }
  onProgress();
}

/** Runs Seam and hands on its lines. */
function finished(
  args: string[],
  cwd: string,
  signal: AbortSignal | undefined,
  onLine: (line: string) => void,
): Promise<{ code: number | null; complaint: string }> {
  return new Promise((resolve) => {
    const [program, ...first] = seamCommand();
    const env = { ...process.env, SEAM_SUBAGENT: "1" };
    let rest = "";
    let complaint = "";
    let child: ChildProcess;
    const done = (code: number | null) => {
      signal?.removeEventListener("abort", kill);
      resolve({ code, complaint: complaint.trim() });
    };
    // The whole group: what the child started must not outlive it.
    const kill = () => {
      signalGroup(child, "SIGTERM");
      const timer = setTimeout(() => signalGroup(child, "SIGKILL"), KILL_AFTER_MS);
      child.once("exit", () => clearTimeout(timer));
    };
    try {
      const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
      child = spawn(program, [...first, ...args], { cwd, env, stdio, detached: true });
    } catch (error) {
      // The task is longer than a command line may be.
      complaint = error instanceof Error ? error.message : String(error);
      return done(null);
    }
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      // Only at LF: other line separators are text inside of JSON.
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(onLine);
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      complaint = (complaint + chunk).slice(-LONGEST_COMPLAINT);
    });
    child.on("error", ({ message }) => {
      complaint = `Seam cannot be started: ${message}`;
      done(null);
    });
    child.on("close", done);
    signal?.addEventListener("abort", kill, { once: true });
  });
}

function reader(run: Run, onProgress: () => void): (line: string) => void {
  const take = follow(run);
  let shownAt = 0;
  return (line) => {
    try {
      // What Seam prints, one event per line.
      const news = take(JSON.parse(line) as SeamEvent);
      const isDue = news === "now" || (news === "soon" && Date.now() - shownAt >= SHOW_EVERY_MS);
      if (!isDue) return;
      shownAt = Date.now();
      onProgress();
    } catch {
      // Not an event: nothing to learn from it.
    }
  };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
