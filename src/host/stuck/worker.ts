import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { RunningCode } from "../../dispatch/index.ts";
import { SeamError } from "../../errors/index.ts";
import { Field, LOOKS, type WatchTask } from "./protocol.ts";
import { stop } from "./stop.ts";
import { Workload } from "./workload.ts";

// Watches the main thread from a thread of its own: see watchdog.ts.

const { board: shared, running: slots, key } = workerData as WatchTask;
const board = new Int32Array(shared);
const running = new Int32Array(slots);

/** So many times the limit without a sign of life, and nothing helped. */
const HOPELESS = 6;
/** So many times the limit, and no excuse counts any more. */
const LATE = 4;
/** On a machine that has too much to do, the limit counts what the thread got of it. */
const LEAST_OF_LIMIT = 0.5;

let beats = -1;
const workload = new Workload();
/** Looks since the last sign of life, and since the last attempt to stop something; attempts. */
let silence = 0;
let patience = 0;
let attempts = 0;
/** The slot of the last look, and for how many looks it was that one. */
let slot = 0;
let same = 0;

/** Sent as they come to be: when the answer is needed, nobody is there to ask. */
const codes = new Map<number, RunningCode>();
parentPort?.on("message", ([number, code]: [number, RunningCode]) => codes.set(number, code));

const read = (field: number) => Atomics.load(board, field);
const runningNow = () => Atomics.load(running, 0);

function look(): void {
  setTimeout(look, read(Field.tickMs));
  same = runningNow() === slot ? same + 1 : 0;
  slot = runningNow();
  if (read(Field.beats) !== beats || read(Field.debugged) === 1) {
    beats = read(Field.beats);
    workload.restart();
    silence = 0;
    patience = 0;
    attempts = 0;
    return;
  }
  workload.look();
  silence++;
  patience++;
  if (silence > LOOKS * HOPELESS && read(Field.endProcess) === 1) end();
  if (patience > LOOKS && read(Field.connected) === 0 && !isStarved()) void intervene();
}

/** It would have come back by now if others had left it a processor. */
function isStarved(): boolean {
  const limitMs = read(Field.tickMs) * LOOKS;
  return workload.isRunning && silence <= LOOKS * LATE && workload.cpuMs < limitMs * LEAST_OF_LIMIT;
}

async function intervene(): Promise<void> {
  Atomics.store(board, Field.connected, 1);
  const isBack = () => read(Field.beats) !== beats;
  try {
    const steady = same > 1 ? slot : 0;
    // One that waits again and again does not come back either.
    const isBusy = workload.isAtWork || attempts >= LATE;
    const code = (of: number) => codes.get(of);
    const looks = { steady, isBusy, now: runningNow, isBack, code };
    const verdict = await stop(key, looks);
    if (verdict) parentPort?.postMessage(verdict);
  } finally {
    patience = 0;
    attempts++;
    Atomics.store(board, Field.connected, 0);
  }
}

/** The thread is in something that no one can interrupt. A worker cannot exit for the process. */
function end(): void {
  const { path = "Something", what: event = "not in an event" } = codes.get(slot) ?? {};
  const error = new SeamError("SEAM_PROCESS_STUCK", { path, event });
  writeSync(2, `${error.message} ${error.next}\n`);
  process.kill(process.pid, "SIGKILL");
}

look();
