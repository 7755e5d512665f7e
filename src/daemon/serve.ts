import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DAEMON_TITLE } from "../settings/index.ts";
import { notedEnvironment } from "./client/client-files.ts";
import type { Daemon, DaemonOptions } from "./daemon-options.ts";
import { daemonPaths, prepareFolders } from "./daemon-paths.ts";
import { spawnDaemon } from "./launch.ts";
import { ringAround, ringOutside } from "./outside-walls.ts";
import { OwnFiles } from "./own-files.ts";
import { startDaemon } from "./start-daemon.ts";
import { followPerson, namesOfOthers } from "./user-environment.ts";

interface ServeOptions extends DaemonOptions {
  /** It was started at login: it never ends for want of work, and waits where there is another. */
  readonly stays?: boolean;
}

/** How often one that waits looks whether the other daemon is gone. */
const WAIT_MS = 10_000;

/** Runs the daemon in this process until it ends. Returns false at once if another one runs. */
export async function serve({ stays = false, ...options }: ServeOptions): Promise<boolean> {
  const paths = daemonPaths(options.home);
  const ring = ringAround(paths);
  for (const name of namesOfOthers(process.env)) delete process.env[name];
  followPerson(process.env, notedEnvironment(paths));
  prepareFolders(paths);
  if (ring !== undefined) {
    await ringOutside(ring, paths);
    return false;
  }
  process.title = DAEMON_TITLE;
  // Short names for the socket, and no folder of the user's is kept from being unmounted.
  process.chdir(paths.run);
  const start = () =>
    startDaemon({
      ...options,
      tendsClient: true,
      ownFiles: new OwnFiles(),
      ...(stays && { idleMs: Number.POSITIVE_INFINITY }),
    });
  let daemon: Daemon | undefined = await start();
  for (; !daemon && stays; daemon = await start()) await sleep(WAIT_MS);
  if (!daemon) return false;
  const { stop, ended } = daemon;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void stop(signal));
  }
  // The end of a terminal is not the end of the daemon.
  process.on("SIGHUP", () => {});
  process.on("uncaughtException", (error) => {
    appendFileSync(paths.log, `${error.stack ?? error}\n`);
  });
  const { isMissed } = await ended;
  // What was started at login is started again by the system. Nobody waits for the next one: this
  // process ends at once, so that nothing of it is still at work when the next one begins.
  if (isMissed && !stays) spawnDaemon(paths);
  return true;
}
