import { readdir, readFile } from "node:fs/promises";
import { parseProcessStat } from "../../files/index.ts";

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
