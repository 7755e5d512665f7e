import { setTimeout as sleep } from "node:timers/promises";

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
  let alive = signalGroup(pid, "SIGTERM");
  while (alive && Date.now() < deadline) {
    await sleep(POLL_MS);
    alive = signalGroup(pid, 0);
  }
  if (alive) signalGroup(pid, "SIGKILL");
}

function killAll(): void {
  for (const pid of liveGroups) signalGroup(pid, "SIGKILL");
}

/** Whether there was still someone to signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
