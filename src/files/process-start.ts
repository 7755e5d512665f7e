import { execFileSync } from "node:child_process";
import { isRunning } from "./is-running.ts";
import { processStat } from "./process-stat.ts";

/**
 * When a process was started, in whatever form the system tells, as one word: together with the pid
 * it names one process for ever. Undefined if no such process runs; "" if it runs and cannot be asked.
 */
export function processStart(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined;
  return process.platform === "linux" ? (processStat(pid)?.started ?? "") : fromPs(pid);
}

function fromPs(pid: number): string {
  try {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const args = ["-o", "lstart=", "-p", String(pid)];
    return execFileSync("ps", args, { env, encoding: "utf8" }).trim().replace(/\s+/g, "_");
  } catch {
    return "";
  }
}
