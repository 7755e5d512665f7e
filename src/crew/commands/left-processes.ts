import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isInside, processStat, readText } from "../../files/index.ts";

/** How long processes may take to put their things away once they were asked to end. */
const GRACE_MS = 2_000;
const LOOK_MS = 20;

/** In the environment of a command and of all it starts, with the file that takes its output. */
export const MARK = "SEAM_COMMAND";

/** What commands and everything they start are known by. */
export interface Marked {
  /** The process group of one command: its own process id. */
  readonly group?: number | undefined;
  /** The file of a command, or a folder that has the files of several. */
  readonly path: string;
}

/**
 * Ends whatever commands have left behind, also those of a process that was ended itself, and those
 * that left their group. Returns how many processes that were.
 */
export async function endCommands(marked: Marked): Promise<number> {
  const found = new Set(leftOf(marked));
  if (found.size === 0) return 0;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (marked.group !== undefined) signalGroup(marked.group, signal);
    for (const pid of leftOf(marked)) signalOne(pid, signal);
    for (const until = Date.now() + GRACE_MS; Date.now() < until; ) {
      const left = leftOf(marked);
      for (const pid of left) found.add(pid);
      if (left.length === 0) return found.size;
      await pause(LOOK_MS);
    }
  }
  return found.size;
}

/** Zombies do not count: they have ended, and only their exit code waits to be read. */
function leftOf({ group, path }: Marked): number[] {
  if (process.platform !== "linux") {
    return group !== undefined && signalGroup(group, 0) ? [group] : [];
  }
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.filter((pid) => {
    const stat = processStat(pid);
    if (!stat || stat.hasEnded) return false;
    return stat.group === group || isMarked(pid, path);
  });
}

/** The environment of other users' processes cannot be read; those are not this user's anyway. */
function isMarked(pid: number, path: string): boolean {
  const environment = readText(`/proc/${pid}/environ`);
  if (!environment?.includes(`${MARK}=`)) return false;
  const own = environment.split("\0").find((variable) => variable.startsWith(`${MARK}=`));
  return own !== undefined && isInside(own.slice(MARK.length + 1), path);
}

/** False if nobody of the group is there any more. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
