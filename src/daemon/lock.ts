import { randomUUID } from "node:crypto";
import { rmSync, utimesSync } from "node:fs";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../errors/index.ts";
import { ageOf, createFile, isRunning, pidIn, readText, removeStale } from "../files/index.ts";

/**
 * How long a daemon may take from its lock to its socket. Well below what the clients wait for one
 * that starts: whoever takes over from a daemon that hangs is up before they give up.
 */
const START_MS = 4_000;
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
    if (createFile(path, text)) return lockOf(path, text);
    const found = readText(path);
    if (found === undefined) continue;
    if (isStale(found)) removeStale(path, found, STEP_MS);
    else if (await accepts(socket)) return undefined;
    else if (ageOf(path) > START_MS) removeStale(path, found, STEP_MS);
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
