import { SeamError } from "../../errors/index.ts";
import { type FileLock, pause, tryLock } from "../../files/index.ts";
import { fromFileName } from "./session-path.ts";

/** How long a lock that names nobody is waited for. */
const PATIENCE_MS = 4000;
const RETRY_MS = 5;

/** Locks of this process, and how often each was taken: it may open a session twice. */
const held = new Map<string, { readonly lock: FileLock; times: number }>();

/**
 * Makes this process the only one that writes a session: `<file>.lock` names it. The lock of a
 * process that has ended counts for nothing. Throws if another process has it.
 */
export function lockSession(path: string): void {
  const file = `${path}.lock`;
  const mine = held.get(file);
  if (mine) {
    mine.times++;
    return;
  }
  for (const deadline = Date.now() + PATIENCE_MS; ; pause(RETRY_MS)) {
    const lock = tryLock(file);
    if (lock.isOurs) {
      held.set(file, { lock, times: 1 });
      return;
    }
    // Another thread: the lock is this process's already.
    if (lock.isThisProcess) return;
    if (lock.pid !== undefined) throw lockedError(path, `process ${lock.pid}${since(lock.since)}`);
    if (Date.now() > deadline) throw lockedError(path, "another process");
  }
}

const since = (time: string | undefined) => (time === undefined ? "" : ` (since ${time})`);

export function unlockSession(path: string): void {
  const file = `${path}.lock`;
  const mine = held.get(file);
  if (!mine || --mine.times > 0) return;
  held.delete(file);
  mine.lock.release();
}

function lockedError(path: string, who: string): SeamError {
  return new SeamError("SEAM_SESSION_LOCKED", { path, who, id: fromFileName(path).id });
}
