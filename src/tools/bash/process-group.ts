import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseProcessStat } from "../../files/index.ts";

/** What a process gets between being asked to stop and being made to. */
export const KILL_GRACE_MS = 2000;

const POLL_MS = 25;

const liveGroups = new Set<number>();

/**
 * Notes a running process group: a detached group would outlive us otherwise. Returns the undo.
 */
export function trackGroup(pid: number): () => void {
  if (liveGroups.size === 0) process.on("exit", killAll);
  liveGroups.add(pid);
  return () => {
    if (!liveGroups.delete(pid)) return;
    if (liveGroups.size === 0) process.off("exit", killAll);
  };
}

/** Ends a process and everything it started: asks first, then forces. */
export async function killGroup(pid: number): Promise<void> {
  const deadline = Date.now() + KILL_GRACE_MS;
  signalGroup(pid, "SIGTERM");
  while (await hasRunningMembers(pid)) {
    if (Date.now() >= deadline) {
      signalGroup(pid, "SIGKILL");
      return;
    }
    await sleep(POLL_MS);
  }
}

function killAll(): void {
  for (const pid of liveGroups) signalGroup(pid, "SIGKILL");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

/**
 * Whether a process group has a member that still runs. Signal 0 also reaches those that ended and
 * wait for their parent, which in a container without an init may be for ever; where there is
 * /proc, it tells them apart.
 */
export async function hasRunningMembers(group: number): Promise<boolean> {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return true;
  const found = await Promise.all(pids.map((pid) => isRunningMember(pid, group)));
  return found.includes(true);
}

async function isRunningMember(pid: string, group: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const found = parseProcessStat(stat);
  return found?.group === group && !found.hasEnded;
}
