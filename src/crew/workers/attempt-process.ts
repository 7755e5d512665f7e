import { readdirSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, processStart, processStat, readText } from "../../files/index.ts";
import { attemptFiles } from "./attempt-files.ts";

/** One process of the system, and no other that has its number later. */
export interface NamedProcess {
  readonly pid: number;
  /** "" where the system does not tell. */
  readonly processStart: string;
}

/** The variable by which every process of an attempt is known, wherever it went. */
export const ATTEMPT_MARK = "SEAM_CREW_ATTEMPT";

const GRACE_MS = 3_000;
const LOOK_MS = 25;

/** The process that an attempt's folder names; undefined before it was started. */
export function processIn(folder: string): NamedProcess | undefined {
  const [pid = "", start = ""] = (readText(attemptFiles(folder).pid) ?? "").trim().split(" ");
  return /^\d+$/.test(pid) ? { pid: Number(pid), processStart: start } : undefined;
}

/** Whether this very process still runs. */
export function lives({ pid, processStart: start }: NamedProcess): boolean {
  const now = processStart(pid);
  return now !== undefined && (now === start || now === "" || start === "");
}

/** Linux counts the start of processes in hundredths of a second since the machine was started. */
const TICKS = 100;

/** How long a process runs, on a clock that nobody sets. */
export function ageInMinutes({ processStart: start }: NamedProcess): number {
  if (process.platform !== "linux") {
    const since = Date.parse(start.replaceAll("_", " "));
    return Number.isNaN(since) ? 0 : (Date.now() - since) / 60_000;
  }
  return /^\d+$/.test(start) ? Math.max(0, uptime() - Number(start) / TICKS) / 60 : 0;
}

/** Processes of an attempt: those of its group, and those that left it and still carry its mark. */
export function processesOf(attempt: string, group: number | undefined): number[] {
  const mark = Buffer.from(`${ATTEMPT_MARK}=${attempt}\0`);
  return allProcesses().filter((pid) => {
    if (pid === process.pid) return false;
    const stat = processStat(pid);
    if (!stat || stat.hasEnded) return false;
    return (group !== undefined && stat.group === group) || carries(pid, mark);
  });
}

function allProcesses(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function carries(pid: number, mark: Buffer): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    const at = environment.indexOf(mark);
    return at === 0 || (at > 0 && environment[at - 1] === 0);
  } catch {
    // It is gone, or somebody else's.
    return false;
  }
}

/**
 * Ends all processes of an attempt: asks first, then forces. A group that is not the attempt's any
 * more, because its number was given to another process, is left alone.
 */
export async function endProcesses(
  attempt: string,
  named: NamedProcess | undefined,
): Promise<void> {
  const group = named && isStillGroup(named) ? named.pid : undefined;
  const left = () => {
    const found = processesOf(attempt, group);
    // Without /proc only the group can be asked.
    return found.length > 0 || process.platform === "linux" ? found : groupAlone(group);
  };
  signalAll(left(), group, "SIGTERM");
  const deadline = Date.now() + GRACE_MS;
  while (left().length > 0) {
    if (Date.now() >= deadline) {
      signalAll(left(), group, "SIGKILL");
      await sleep(LOOK_MS);
      // What was forked in the meantime.
      signalAll(left(), group, "SIGKILL");
      return;
    }
    await sleep(LOOK_MS);
  }
}

/** The leader may be gone while its group works on: then nobody else can have its number. */
function isStillGroup(named: NamedProcess): boolean {
  return lives(named) || !isRunning(named.pid);
}

function groupAlone(group: number | undefined): number[] {
  if (group === undefined) return [];
  try {
    process.kill(-group, 0);
    return [group];
  } catch {
    return [];
  }
}

function signalAll(
  pids: readonly number[],
  group: number | undefined,
  signal: NodeJS.Signals,
): void {
  for (const one of group === undefined ? pids : [-group, ...pids]) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended.
    }
  }
}
