import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, SeamError } from "../../errors/index.ts";

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
  for (const deadline = Date.now() + PATIENCE_MS; !createWith(lock, text); pause()) {
    const found = readText(lock);
    if (found !== undefined && !counts(lock, found)) removeStale(lock, found);
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
  return ageOf(lock) < STALE_MS && isRunning(Number(text.split(" ")[0]));
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Two processes may find the same stale lock, and the slower one must not remove the new lock of
 * the faster: one at a time removes, and looks again whether it is still the same.
 */
function removeStale(lock: string, found: string): void {
  const guard = `${lock}.take`;
  if (!createWith(guard, `${process.pid}\n`)) {
    if (ageOf(guard) > STALE_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (readText(lock) === found) rmSync(lock, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** The file appears with its content, or not at all: nobody ever reads an empty one. */
function createWith(path: string, text: string): boolean {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? Date.now() - stats.mtimeMs : 0;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
}
