import { systemCode } from "../errors/index.ts";
import { readText } from "./look.ts";

/** The process a file names with its first word; NaN if it names none. */
export function pidIn(text: string): number {
  return Number(text.trim().split(" ")[0] || Number.NaN);
}

export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // A process of another user may be looked at, not signalled.
    return systemCode(error) === "EPERM";
  }
}

/** Ended, and nobody asked how: where the first process of a container does not care, for ever. */
function hasEnded(pid: number): boolean {
  if (process.platform !== "linux") return false;
  const stat = readText(`/proc/${pid}/stat`) ?? "";
  // The name, in brackets, may contain spaces and brackets.
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}
