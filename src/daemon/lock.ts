import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "./system-code.ts";

/** How long a daemon may take from its lock to its socket. */
const START_MS = 10_000;
const STEP_MS = 2_000;
const RETRY_MS = 20;

export interface Lock {
  /** False once another daemon has taken over: this one must end. */
  held(): boolean;
  /** Says that this daemon is still there, though it does not answer any more. */
  refresh(): void;
  release(): void;
}

/**
 * Makes this process the daemon, or says that another one is. The file names a process; it counts
 * while that process runs and answers on its socket, or was there a moment ago: a number that the
 * system gave to somebody else in the meantime does not hold anyone up. One that starts or ends is
 * waited for.
 */
export async function acquireLock(path: string, socket: string): Promise<Lock | undefined> {
  const text = `${process.pid} ${randomUUID()}\n`;
  for (;;) {
    if (createWith(path, text)) return lockOf(path, text);
    const found = readText(path);
    if (found === undefined) continue;
    if (isStale(found)) removeStale(path, found);
    else if (await accepts(socket)) return undefined;
    else if (ageOf(path) > START_MS) removeStale(path, found);
    await sleep(RETRY_MS);
  }
}

/** Locks of this process: in a container the one before it may have had the same number. */
const own = new Set<string>();

function lockOf(path: string, text: string): Lock {
  const held = () => readText(path) === text;
  own.add(text);
  return {
    held,
    refresh: () => {
      const now = new Date();
      if (held()) utimesSync(path, now, now);
    },
    release: () => {
      own.delete(text);
      if (held()) rmSync(path, { force: true });
    },
  };
}

function isStale(text: string): boolean {
  const pid = pidIn(text);
  return pid === process.pid ? !own.has(text) : !isRunning(pid);
}

/** The process a lock file names; NaN if it names none. */
export function pidIn(text: string): number {
  return Number(text.trim().split(" ")[0] || Number.NaN);
}

export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

/** Ended, and nobody asked how: where the first process of a container does not care, for ever. */
function hasEnded(pid: number): boolean {
  if (process.platform !== "linux") return false;
  const stat = readText(`/proc/${pid}/stat`) ?? "";
  // The name, in brackets, may contain spaces and brackets.
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

/** Whether somebody listens, however busy. */
export function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const end = (answer: boolean) => {
      connection.destroy();
      resolve(answer);
    };
    connection.once("connect", () => end(true));
    connection.once("error", (error) => end(systemCode(error) === "EAGAIN"));
  });
}

/** The file appears with its content, or not at all: nobody ever reads an empty one. */
function createWith(path: string, text: string): boolean {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Two processes may find the same stale file, and the slower one must not remove the new file of
 * the faster: one at a time removes, and looks again whether it is still the same.
 */
function removeStale(path: string, found: string): void {
  const guard = `${path}.take`;
  if (!createWith(guard, `${process.pid}\n`)) {
    if (ageOf(guard) > STEP_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (readText(path) === found) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
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
