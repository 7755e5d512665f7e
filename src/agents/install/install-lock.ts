import { randomUUID } from "node:crypto";
import { accessSync, constants, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, SeamError } from "../../errors/index.ts";
import {
  ageOf,
  createFile,
  isRunning,
  pause,
  pidIn,
  readText,
  removeStale,
} from "../../files/index.ts";

const RETRY_MS = 10;
/** Changing a few small files takes far less: whoever has the lock longer does not have it. */
const STALE_MS = 30_000;
const PATIENCE_MS = 15_000;

/** Runs something while no other process changes the configuration of agents. */
export function withInstallLock<T>(store: string, work: () => T): T {
  const lock = join(store, "installs", "lock");
  const text = `${process.pid} ${randomUUID()}\n`;
  try {
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
    accessSync(dirname(lock), constants.W_OK);
  } catch (thrown) {
    const hint = "Make Seam's folder writable for you, or choose another one with SEAM_HOME.";
    throw new SeamError("SEAM_AGENT_FILE", { path: store, detail: messageOf(thrown), hint });
  }
  for (const deadline = Date.now() + PATIENCE_MS; !createFile(lock, text); pause(RETRY_MS)) {
    const found = readText(lock);
    if (found !== undefined && !counts(lock, found)) removeStale(lock, found, STALE_MS);
    if (Date.now() > deadline) {
      throw new SeamError("SEAM_INSTALL_BUSY", {
        process: found?.split(" ")[0] ?? "?",
        path: lock,
      });
    }
  }
  try {
    return work();
  } finally {
    if (readText(lock) === text) rmSync(lock, { force: true });
  }
}

function counts(lock: string, text: string): boolean {
  return ageOf(lock) < STALE_MS && isRunning(pidIn(text));
}
