import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { HookRecord, Recorder } from "../../record/index.ts";
import { ensureClient } from "../client/ensure-client.ts";
import type { Daemon, DaemonOptions } from "../daemon-options.ts";
import { type DaemonPaths, daemonPaths } from "../daemon-paths.ts";
import { startDaemon } from "../start-daemon.ts";
import { fakeAgent } from "./fake-agent.ts";

export interface TestPlace extends DaemonPaths {
  readonly project: string;
  /** Writes files below the user's Seam folder. */
  write(files: Readonly<Record<string, string>>): void;
  /** Everything in the daemon's log. */
  logged(): string;
}

/** A user's Seam folder and a project of their own, gone after the test. */
export function testPlace(name = "home"): TestPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "seam-daemon-")));
  const home = join(base, name);
  const project = join(base, "project");
  for (const folder of [home, project, join(project, ".seam")]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const before = process.env.SEAM_HOME;
  process.env.SEAM_HOME = home;
  onTestFinished(() => {
    if (before === undefined) delete process.env.SEAM_HOME;
    else process.env.SEAM_HOME = before;
    rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  });
  const paths = daemonPaths(home);
  return {
    ...paths,
    project,
    write: (files) => {
      for (const [file, text] of Object.entries(files)) {
        const path = join(home, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    },
    logged: () => readFileSync(paths.log, "utf8"),
  };
}

export class MemoryRecorder implements Recorder {
  readonly records: HookRecord[] = [];
  closed = false;
  async accept(record: HookRecord): Promise<void> {
    this.records.push(record);
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

export interface TestDaemon extends Daemon {
  readonly recorder: MemoryRecorder;
}

/** A daemon in this process, with the fake agent; gone after the test. */
export async function testDaemon(
  paths: DaemonPaths,
  options: Partial<DaemonOptions> = {},
): Promise<TestDaemon> {
  const recorder = new MemoryRecorder();
  const daemon = await startDaemon({
    recorder,
    agents: [fakeAgent],
    home: paths.home,
    ...options,
  });
  if (!daemon) throw new Error("There is a daemon already.");
  onTestFinished(() => daemon.stop());
  return { ...daemon, recorder };
}

export interface HookEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the client reaches the daemon: the compiled one, or the shell's, which has three ways. */
export const WAYS = ["native", "perl", "curl", "node"] as const;
export type Way = (typeof WAYS)[number];

interface HookOptions {
  /** Takes the faster ways out of the client. The compiled one, if nothing is said. */
  readonly via?: Way;
  /** Leaves the client and its folders as they are. */
  readonly keeps?: boolean;
  readonly agent?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs the client with this shell. */
  readonly shell?: string;
  /** Where its output goes, as a shell says it. */
  readonly output?: string;
}

/** Runs a hook the way an agent does: the command through `sh -c`, the payload on stdin. */
export function runHook(
  place: DaemonPaths & { project?: string },
  hook: string,
  payload: unknown,
  options: HookOptions = {},
): Promise<HookEnd> {
  const { keeps, shell, via = shell ? "perl" : "native" } = options;
  if (!keeps) useWay(place, via);
  const { child, ended } = startHook(place, hook, options);
  child.stdin?.on("error", () => {});
  child.stdin?.end(typeof payload === "string" ? payload : JSON.stringify(payload));
  return ended;
}

/** Installs the client that goes this way. */
export function useWay({ home, hook }: DaemonPaths, via: Way): void {
  ensureClient(home, { native: via === "native" });
  if (via === "native" || via === "perl") return;
  let text = readFileSync(hook, "utf8");
  text = text.replace(/^perl=.*$/m, "perl=");
  if (via === "node") text = text.replaceAll("command -v curl", "false");
  writeFileSync(hook, text);
}

export function startHook(
  place: DaemonPaths & { project?: string },
  hook: string,
  { cwd, env, shell = "", output = "", agent = "aider" }: HookOptions = {},
): { child: ChildProcess; ended: Promise<HookEnd> } {
  const command = `h="\${SEAM_HOME:-$HOME/.seam}/bin/hook"; [ -x "$h" ] && exec ${shell} "$h" ${agent} ${hook} ${output}; exit 0 # agentseam`;
  const child = spawn("/bin/sh", ["-c", command], {
    cwd: cwd ?? place.project ?? place.home,
    env: { PATH: process.env.PATH, HOME: dirname(place.home), SEAM_HOME: place.home, ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString("utf8");
  });
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString("utf8");
  });
  const ended = new Promise<HookEnd>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

/** Waits for something that comes without being called. */
export async function until(isSo: () => boolean, ms = 60_000): Promise<void> {
  for (const deadline = Date.now() + ms; !isSo(); ) {
    if (Date.now() > deadline) throw new Error("It did not happen.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
