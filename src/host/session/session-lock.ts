import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { SeamError } from "../../errors/index.ts";
import { ageOf, createFile, pause, readText, removeStale } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import { processStart } from "./process-start.ts";
import { fromFileName } from "./session-path.ts";

/** How long another process may take between two steps that belong together. */
const PATIENCE_MS = 2000;
const RETRY_MS = 5;

interface Owner {
  readonly pid: number;
  readonly started: string;
  readonly since: string;
}

/** Locks of this process, and how often each was taken: it may open a session twice. */
const held = new Map<string, { text: string; times: number }>();

/**
 * Makes this process the only one that writes a session: `<file>.lock` names it. The lock of a
 * process that has ended counts for nothing. Throws if another process has it.
 */
export function lockSession(path: string): void {
  const lock = `${path}.lock`;
  const mine = held.get(lock);
  if (mine) {
    mine.times++;
    return;
  }
  const started = processStart(process.pid) ?? "";
  const owner = { pid: process.pid, started, since: new Date().toISOString(), key: randomUUID() };
  const text = JSON.stringify(owner);
  for (const deadline = Date.now() + 2 * PATIENCE_MS; ; pause(RETRY_MS)) {
    if (createFile(lock, text)) break;
    const found = readText(lock);
    if (found === undefined) continue;
    const other = parseOwner(found);
    if (other && isRunning(other)) {
      // Another thread: the lock is this process's already.
      if (other.pid === process.pid) return;
      throw lockedError(path, `process ${other.pid} (since ${other.since})`);
    }
    // A lock that does not name anyone may be just being written.
    if (other || ageOf(lock) > PATIENCE_MS) removeStale(lock, found, PATIENCE_MS);
    if (Date.now() > deadline) throw lockedError(path, "another process");
  }
  held.set(lock, { text, times: 1 });
}

export function unlockSession(path: string): void {
  const lock = `${path}.lock`;
  const mine = held.get(lock);
  if (!mine || --mine.times > 0) return;
  held.delete(lock);
  if (readText(lock) === mine.text) rmSync(lock, { force: true });
}

function parseOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { pid, started, since } = value;
    if (typeof pid !== "number" || typeof started !== "string") return undefined;
    return { pid, started, since: String(since) };
  } catch {
    return undefined;
  }
}

function isRunning({ pid, started }: Owner): boolean {
  const now = processStart(pid);
  return now !== undefined && (now === started || now === "" || started === "");
}

function lockedError(path: string, who: string): SeamError {
  return new SeamError("SEAM_SESSION_LOCKED", { path, who, id: fromFileName(path).id });
}
