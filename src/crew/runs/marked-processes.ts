import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ATTEMPT_MARK } from "../workers/index.ts";

/** Processes that were started for attempts of this user's crews, as their environment says. */
export function markedProcesses(home: string): { pid: number; attempt: string }[] {
  // Where there is no such folder nobody can tell.
  if (!existsSync("/proc")) return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const pid = Number(name);
    const environment = environmentOf(pid);
    const attempt = environment.get(ATTEMPT_MARK)?.replace(/\.repair$/, "");
    const isOurs = attempt !== undefined && environment.get("SEAM_HOME") === home;
    return isOurs && pid !== process.pid ? [{ pid, attempt }] : [];
  });
}

/** Empty where it cannot be read: the process is gone, or somebody else's. */
function environmentOf(pid: number): Map<string, string> {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return new Map(
      lines.map((line) => {
        const at = line.indexOf("=");
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    );
  } catch {
    return new Map();
  }
}
