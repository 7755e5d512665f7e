import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SeamError } from "../errors/index.ts";
import { builtFile } from "../settings/index.ts";
import { daemonStatus } from "./connection.ts";
import { type DaemonPaths, prepareFolders } from "./daemon-paths.ts";
import type { DaemonStatus } from "./status.ts";
import { withoutLoading } from "./user-environment.ts";

/** The same time that hook clients wait for a daemon that starts. */
const PATIENCE_MS = 60_000;

/** Starts the daemon in a process of its own, away from this one, unless it runs already. */
export async function launchDaemon(paths: DaemonPaths): Promise<DaemonStatus> {
  prepareFolders(paths);
  const running = await daemonStatus(paths);
  if (running) return running;
  const child = spawnDaemon(paths);
  let failed: string | undefined;
  child.once("error", (error) => {
    failed = error.message;
  });
  child.once("exit", (code) => {
    if (code !== 0) failed = `it ended with code ${code}`;
  });
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(30)) {
    const status = await daemonStatus(paths);
    if (status) return status;
    if (failed !== undefined) break;
  }
  const detail = failed ?? `it did not answer within ${PATIENCE_MS / 1000} seconds`;
  throw new SeamError("SEAM_DAEMON_START", { detail });
}

/** Does not wait until it answers. It waits itself until the daemon that is there has ended. */
export function spawnDaemon(paths: DaemonPaths): ChildProcess {
  const log = openSync(paths.log, "a", 0o600);
  const child = spawn(process.execPath, [builtFile("bin/seam.js"), "daemon", "serve"], {
    cwd: paths.run,
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...withoutLoading(process.env), SEAM_HOME: paths.home },
  });
  closeSync(log);
  child.unref();
  return child;
}
