import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Daemon, DaemonOptions } from "./daemon-options.ts";
import { daemonPaths, prepareFolders } from "./daemon-paths.ts";
import { launchDaemon } from "./launch.ts";
import { OwnFiles } from "./own-files.ts";
import { startDaemon } from "./start-daemon.ts";

interface ServeOptions extends DaemonOptions {
  /** It was started at login: it never ends for want of work, and waits where there is another. */
  readonly stays?: boolean;
}

/** How often one that waits looks whether the other daemon is gone. */
const WAIT_MS = 10_000;

/**
 * What git sets for its hooks, and agents for theirs: the daemon may have been started by one of
 * them and serves all others too.
 */
const OTHERS = [
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|DIR|EXEC_PATH|GRAFT_FILE|IMPLICIT_WORK_TREE)$/,
  /^GIT_(INDEX_FILE|INTERNAL_SUPER_PREFIX|NAMESPACE|NO_REPLACE_OBJECTS|OBJECT_DIRECTORY|PREFIX)$/,
  /^GIT_(QUARANTINE_PATH|REFLOG_ACTION|REPLACE_REF_BASE|SHALLOW_FILE|WORK_TREE)$/,
  /^SEAM_(CREW_ATTEMPT|SLOT|PORT_BASE)$/,
  /^CLAUDECODE$|^CLAUDE_(CODE_SESSION|CODE_ENTRYPOINT|CODE_CHILD|EFFORT|ENV_FILE|PROJECT_DIR)/,
];

/** Is the daemon until it ends. False, at once and in peace, if there is one already. */
export async function serve({ stays = false, ...options }: ServeOptions): Promise<boolean> {
  for (const name of Object.keys(process.env)) {
    if (OTHERS.some((pattern) => pattern.test(name))) delete process.env[name];
  }
  const paths = daemonPaths(options.home);
  prepareFolders(paths);
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
  // What was started at login is started again by the system.
  if (isMissed && !stays) {
    await launchDaemon(paths).catch((error) => appendFileSync(paths.log, `${error}\n`));
  }
  return true;
}
