import { accessSync, closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../errors/index.ts";
import { processStat } from "../files/index.ts";
import { daemonStatus } from "./connection.ts";
import type { DaemonPaths } from "./daemon-paths.ts";

/** Names the pipe at whose other end somebody outside of an agent's walls starts the daemon. */
export const RING = "SEAM_CREW_RING";

/** Hook clients wait this long for a daemon that starts. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 30;

/**
 * The pipe of the walls around this process; undefined if it is outside of any. Some agents start MCP
 * servers with an environment of their own, so whoever cannot write to Seam's programs asks the
 * processes above for it.
 */
export function ringAround(paths: DaemonPaths): string | undefined {
  const own = process.env[RING];
  if (own !== undefined || !isReadOnly(paths.bin)) return own;
  for (let pid = process.ppid; pid > 1; pid = processStat(pid)?.parent ?? 0) {
    const ring = variableOf(pid, RING);
    if (ring !== undefined) return ring;
  }
  return undefined;
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return systemCode(error) === "EROFS";
  }
}

function variableOf(pid: number, name: string): string | undefined {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  } catch {
    // The process is gone, or somebody else's.
    return undefined;
  }
}

/**
 * Has the daemon started outside of the walls in which an agent of a crew works, because one inside
 * of them could not do its work. Returns when it is there: hooks wait as long as this process lives.
 */
export async function ringOutside(pipe: string, paths: DaemonPaths): Promise<void> {
  // Without a reader at the other end it fails at once and does not wait.
  const file = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  writeSync(file, "daemon\n");
  closeSync(file);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(LOOK_MS)) {
    if (await daemonStatus(paths)) return;
  }
}
