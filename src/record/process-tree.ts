import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { processStat } from "../files/index.ts";
import type { ProcessId } from "./session/state.ts";

export interface Process extends ProcessId {
  readonly parent: number;
  /** Name of its program, without a path. */
  readonly name: string;
}

/** More levels than any real process tree has: a cycle cannot be. */
const MOST_LEVELS = 64;

/** What stands between an agent and what it starts. */
const GO_BETWEENS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "fish",
  "ksh",
  "busybox",
  "env",
  "timeout",
  "setsid",
  "nohup",
  "sudo",
  "git",
  "curl",
]);

/** A process as the system knows it now; undefined if there is none with this number. */
export function processOf(pid: number): Process | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** The process and those above it, nearest first. */
export function ancestorsOf(pid: number): Process[] {
  const found: Process[] = [];
  let next: number | undefined = pid;
  while (next !== undefined && found.length < MOST_LEVELS) {
    const one = processOf(next);
    if (!one) break;
    found.push(one);
    next = one.parent > 1 ? one.parent : undefined;
  }
  return found;
}

/** The agent above a hook: the nearest process that is not a shell or the like. */
export function agentAbove(pid: number): ProcessId | undefined {
  const agent = ancestorsOf(pid).find(({ name }) => !GO_BETWEENS.has(name));
  return agent && { pid: agent.pid, started: agent.started };
}

export function isAlive({ pid, started }: ProcessId): boolean {
  return processOf(pid)?.started === started;
}

/** The arguments a process was started with; none if that cannot be known. */
export function argumentsOf(pid: number): string[] {
  try {
    if (process.platform === "linux") {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    }
    return ps(pid, "args=").split(/\s+/);
  } catch {
    return [];
  }
}

function fromProc(pid: number): Process | undefined {
  const stat = processStat(pid);
  if (!stat || stat.hasEnded) return undefined;
  const { parent, started } = stat;
  return { pid, parent, started, name: programOf(pid) ?? stat.name };
}

/** Programs rename themselves (node calls itself MainThread): the file they run is surer. */
function programOf(pid: number): string | undefined {
  try {
    return baseName(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): Process | undefined {
  try {
    const [, parent, started, name] =
      /^\s*(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(ps(pid, "ppid=,lstart=,comm=")) ??
      [];
    if (parent === undefined || started === undefined) return undefined;
    return { pid, parent: Number(parent), started, name: baseName(name ?? "") };
  } catch {
    return undefined;
  }
}

function ps(pid: number, format: string): string {
  return execFileSync("ps", ["-o", format, "-p", String(pid)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/ \(deleted\)$/, "");
}
