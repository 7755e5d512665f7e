import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { RunningCode } from "../../dispatch/index.ts";
import { SeamError } from "../../errors/index.ts";
import { Field, LOOKS, type WatchTask } from "./protocol.ts";
import { stop } from "./stop.ts";

// Watches the main thread from a thread of its own: see watchdog.ts.

const { board: shared, running: slots, key } = workerData as WatchTask;
const board = new Int32Array(shared);
const running = new Int32Array(slots);

/** Of a processor: what a loop gets at least, on a machine that has much to do. */
const LEAST_SHARE = 0.05;
/** So many times the limit without a sign of life, and nothing helped. */
const HOPELESS = 6;

let beats = -1;
let aliveAt = performance.now();
let cpuThen = process.cpuUsage();
/** Looks since the last sign of life, and since the last attempt to stop something. */
let silence = 0;
let patience = 0;
/** The slot of the last look, and for how many looks it was that one. */
let slot = 0;
let same = 0;
let busy = false;

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
    aliveAt = performance.now();
    cpuThen = process.cpuUsage();
    silence = 0;
    patience = 0;
    return;
  }
  silence++;
  patience++;
  if (silence > LOOKS * HOPELESS && read(Field.endProcess) === 1) end();
  if (patience > LOOKS && !busy) void intervene();
}

async function intervene(): Promise<void> {
  busy = true;
  const isBack = () => read(Field.beats) !== beats;
  try {
    const steady = same > 1 ? slot : 0;
    const isBusy = isAtWork();
    const code = (of: number) => codes.get(of);
    const looks = { steady, isBusy, now: runningNow, isBack, code };
    const verdict = await stop(key, looks);
    if (verdict) parentPort?.postMessage(verdict);
  } finally {
    patience = 0;
    busy = false;
  }
}

/** Whether the process did something since the last sign of life. */
function isAtWork(): boolean {
  const { user, system } = process.cpuUsage(cpuThen);
  return (user + system) / 1_000 > (performance.now() - aliveAt) * LEAST_SHARE;
}

/** The thread is in something that no one can interrupt. A worker cannot exit for the process. */
function end(): void {
  const { path = "Something", what: event = "not in an event" } = codes.get(slot) ?? {};
  const error = new SeamError("SEAM_PROCESS_STUCK", { path, event });
  writeSync(2, `${error.message} ${error.next}\n`);
  process.kill(process.pid, "SIGKILL");
}

look();
