import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether somebody in the group is still at work. The dead whom nobody has buried do not count. */
export function isGroupAlive(group: number): boolean {
  return signalGroup(group, 0) && (process.platform !== "linux" || livesInProc(group));
}

/** Whether there was anybody to hear it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // 0 would be our own group, 1 everybody.
  if (group <= 1) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

/** False if the time was over first. */
export async function groupEnds(group: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += 50) {
    if (!isGroupAlive(group)) return true;
    await sleep(50);
  }
  return !isGroupAlive(group);
}

function livesInProc(group: number): boolean {
  return readdirSync("/proc").some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    // "pid (name) state parent group …", and the name may hold anything.
    const stat = statOf(entry);
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(itsGroup) === group && state !== "Z" && state !== "X";
  });
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
