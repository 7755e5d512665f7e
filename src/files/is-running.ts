import { systemCode } from "../errors/index.ts";
import { processStat } from "./process-stat.ts";

/** The process a file names with its first word; NaN if it names none. */
export function pidIn(text: string): number {
  return Number(text.trim().split(" ")[0] || Number.NaN);
}

/** A process that ended without anybody asking how does not run, though it has its number still. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user may be looked at, not signalled.
    if (systemCode(error) !== "EPERM") return false;
  }
  return process.platform !== "linux" || processStat(pid)?.hasEnded !== true;
}
