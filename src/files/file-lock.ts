import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync, utimesSync } from "node:fs";
import { createFile } from "./create-file.ts";
import { ageOf } from "./file-age.ts";
import { isRunning } from "./is-running.ts";
import { processStat } from "./process-stat.ts";
import { readText } from "./read-text.ts";
import { removeStale } from "./remove-stale.ts";

/** How long it takes at most to write a lock, or to take away one that was left. */
const STEP_MS = 2_000;
/** So often somebody else may be faster before whoever wants the lock hears of it. */
const MOST_TRIES = 3;

/** A lock that this process holds. */
export interface FileLock {
  readonly isOurs: true;
  /** False once somebody has taken it away. */
  held(): boolean;
  /** Says that the holder is still there: the lock is as young as on the first day. */
  refresh(): void;
  /** Never removes the lock of another holder. */
  release(): void;
}

/** Somebody else who holds a lock. */
export interface LockHolder {
  readonly isOurs: false;
  /** Undefined if the lock does not name a process: it may be just being written. */
  readonly pid: number | undefined;
  /** Another part of this process, in this thread or in another one. */
  readonly isThisProcess: boolean;
  /** When it was taken, as far as that is known. */
  readonly since: string | undefined;
  readonly ageMs: number;
}

/**
 * Takes a lock if nobody holds it: a file that names the process. One whose process is gone counts
 * for nothing, also if the system gave its number to another process in the meantime. `isLeft` says
 * which locks of processes that run count for nothing too.
 */
export function tryLock(
  path: string,
  isLeft: (holder: LockHolder) => boolean = () => false,
): FileLock | LockHolder {
  const text = `${process.pid} ${ownStart()} ${new Date().toISOString()} ${randomUUID()}\n`;
  for (let tries = 1; ; tries++) {
    if (createFile(path, text)) return lockOf(path, text);
    const found = readText(path);
    const names = parse(found ?? "");
    const holder = holderOf(path, names);
    // It may have been released a moment ago, or it is a folder that nobody ever releases.
    if (tries === MOST_TRIES) return holder;
    if (found === undefined) continue;
    if (!isGone(names, holder.ageMs) && !isLeft(holder)) return holder;
    removeStale(path, found, STEP_MS);
  }
}

function lockOf(path: string, text: string): FileLock {
  const held = () => readText(path) === text;
  return {
    isOurs: true,
    held,
    refresh: () => {
      const now = new Date();
      if (held()) utimesSync(path, now, now);
    },
    release: () => {
      if (held()) rmSync(path, { force: true });
    },
  };
}

interface Named {
  readonly pid: number;
  /** Undefined in locks of Seam 0.1.0, which did not all say it; "" if the system does not tell. */
  readonly started: string | undefined;
  readonly since: string | undefined;
}

function parse(text: string): Named | undefined {
  if (text.startsWith("{")) return parseJson(text);
  const [first, started, since, key] = text.trim().split(" ");
  const pid = Number(first || Number.NaN);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return key === undefined
    ? { pid, started: undefined, since: undefined }
    : { pid, started, since };
}

/** Reads a lock in the form in which Seam 0.1.0 wrote those of sessions. */
function parseJson(text: string): Named | undefined {
  try {
    const { pid, started, since } = JSON.parse(text) as Partial<Record<keyof Named, unknown>>;
    if (typeof pid !== "number" || typeof started !== "string") return undefined;
    return { pid, started, since: String(since) };
  } catch {
    return undefined;
  }
}

function holderOf(path: string, names: Named | undefined): LockHolder {
  return {
    isOurs: false,
    pid: names?.pid,
    isThisProcess: names?.pid === process.pid,
    since: names?.since,
    ageMs: ageOf(path),
  };
}

function isGone(names: Named | undefined, ageMs: number): boolean {
  if (!names) return ageMs > STEP_MS;
  const { pid, started } = names;
  // This process says when it was started, so one that does not had the same number earlier.
  if (started === undefined) return pid === process.pid || !isRunning(pid);
  const now = processStart(pid);
  return now === undefined || (now !== started && now !== "" && started !== "");
}

let start: string | undefined;

function ownStart(): string {
  start ??= processStart(process.pid) ?? "";
  return start;
}

/**
 * When a process was started, in whatever form the system tells, as one word: together with the pid
 * it names one process for ever. Undefined if no such process runs; "" if it runs and cannot be asked.
 */
export function processStart(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined;
  return process.platform === "linux" ? (processStat(pid)?.started ?? "") : fromPs(pid);
}

function fromPs(pid: number): string {
  try {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const args = ["-o", "lstart=", "-p", String(pid)];
    return execFileSync("ps", args, { env, encoding: "utf8" }).trim().replace(/\s+/g, "_");
  } catch {
    return "";
  }
}

/** Waits, and the thread with it: for a few milliseconds, where nothing else can go on anyway. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
