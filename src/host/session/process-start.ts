import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { systemCode } from "../../errors/index.ts";

/**
 * When a process was started, in whatever form the system tells: together with the pid it names
 * one process for ever. Undefined if no such process runs; "" if it runs and cannot be asked.
 */
export function processStart(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user may be looked at, not signalled.
    if (systemCode(error) !== "EPERM") return undefined;
  }
  return process.platform === "linux" ? linuxStart(pid) : posixStart(pid);
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    // Ended, and not yet waited for by its parent.
    return state === "Z" || state === "X" ? undefined : (fields[19] ?? "");
  } catch {
    return "";
  }
}

function posixStart(pid: number): string {
  try {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const args = ["-o", "lstart=", "-p", String(pid)];
    return execFileSync("ps", args, { env, encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}
