import { accessSync, constants, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { inWords, SeamError } from "../../errors/index.ts";
import { type FileLock, pause, tryLock } from "../../files/index.ts";

const RETRY_MS = 10;
/** Changing a few small files takes far less: whoever has the lock longer does not have it. */
const STALE_MS = 30_000;
const PATIENCE_MS = 15_000;

/** Runs something while no other process changes the configuration of agents. */
export function withInstallLock<T>(store: string, work: () => T): T {
  const path = join(store, "installs", "lock");
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    accessSync(dirname(path), constants.W_OK);
  } catch (thrown) {
    const hint = "Make Seam's folder writable for you, or choose another one with SEAM_HOME.";
    throw new SeamError("SEAM_AGENT_FILE", { path: store, detail: inWords(thrown), hint });
  }
  const lock = take(path);
  try {
    return work();
  } finally {
    lock.release();
  }
}

function take(path: string): FileLock {
  for (const deadline = Date.now() + PATIENCE_MS; ; pause(RETRY_MS)) {
    const lock = tryLock(path, ({ ageMs }) => ageMs >= STALE_MS);
    if (lock.isOurs) return lock;
    if (Date.now() > deadline) {
      throw new SeamError("SEAM_INSTALL_BUSY", { process: lock.pid ?? "?", path });
    }
  }
}
