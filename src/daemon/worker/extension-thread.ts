/**
 * The thread in which sessions' extensions run, each session's with modules of their own. It can be
 * killed without harm to anyone else.
 */
import { join } from "node:path";
import { parentPort, threadId, workerData } from "node:worker_threads";
import { codeIn, onSlot, running } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import { keepNativeLibraries, keepProcess } from "../../extensions/index.ts";
import {
  attendance,
  currentPlace,
  divideProcess,
  marks,
  noteBegun,
  runFor,
  type SeatPlace,
} from "./current-seat.ts";
import { DoingFile } from "./doing-file.ts";
import { forgetSeat, meterHandlers, meterSeat, tooMuchOutside } from "./outside-memory.ts";
import type {
  FromSeat,
  FromThread,
  SeatMessage,
  ThreadData,
  ToThread,
  WorkerTask,
} from "./protocol.ts";
import { Seat } from "./seat.ts";

interface Opened {
  readonly place: SeatPlace;
  readonly task: WorkerTask;
  seat?: Seat;
}

const port = parentPort;
const opened = new Map<number, Opened>();
const send = (message: FromThread | FromSeat) => port?.postMessage(message);
const sayFor = (seat: number) => (said: SeatMessage) => send({ ...said, seat });

const environment = { ...process.env };
divideProcess();
keepNativeLibraries();
keepProcess();
// Ends only this thread; who did it is known here and nowhere else.
const exit = process.exit;
process.exit = (code) => {
  const stack = new Error().stack ?? "";
  const seat = currentPlace()?.seat ?? 0;
  const named = opened.get(seat)?.task.sources.find(({ path }) => stack.includes(path))?.path;
  send({ say: "exiting", by: seat, path: named ?? codeIn(running[0] ?? 0)?.path });
  return exit(code);
};
send({
  say: "up",
  running: running.buffer as SharedArrayBuffer,
  marks: marks.buffer as SharedArrayBuffer,
});
onSlot((slot, { path }) => send({ say: "slot", slot, path }));
const { doing } = workerData as ThreadData;
const file = doing === undefined ? undefined : new DoingFile(join(doing, String(threadId)));
meterHandlers(file && ((slot) => file.enters(codeIn(slot)?.path ?? "")));
let atWork = 0;
setInterval(() => {
  for (const { seat } of opened.values()) {
    seat?.tellChanges();
    seat?.tellUse();
  }
  lookAtMemory();
}, 1_000).unref();

function lookAtMemory(): void {
  const much = tooMuchOutside();
  if (much) send({ say: "swollen", ...much });
}

async function open(seat: number, task: WorkerTask): Promise<void> {
  // A copy: what an extension changes there stays with its session.
  const place = { seat, cwd: task.cwd, env: { ...environment } };
  const one: Opened = { place, task };
  opened.set(seat, one);
  try {
    one.seat = await runFor(place, () => Seat.open(task, sayFor(seat)));
  } catch (thrown) {
    opened.delete(seat);
    sayFor(seat)({ say: "failed", detail: messageOf(thrown) });
  }
}

async function end(number: number, { seat }: Opened, event: Parameters<Seat["end"]>[0]) {
  await seat?.end(event);
  opened.delete(number);
  forgetSeat(number);
  sayFor(number)({ say: "ended" });
}

async function handle(
  message: Exclude<ToThread, { do: "ping" | "stop" | "attended" }>,
): Promise<void> {
  if (message.do === "open") return open(message.seat, message.task);
  const one = opened.get(message.seat);
  if (!one) return;
  const { seat, place } = one;
  if (message.do === "answer") return seat?.answer(message.id, message.value);
  if (message.do === "end") return runFor(place, () => end(message.seat, one, message.event));
  if (message.do === "offer") return runFor(place, () => seat?.offer());
  if (message.do === "abandon") return seat?.abandon(message.id);
  if (message.do === "call") {
    await runFor(place, () => seat?.call(message.id, message.call));
  } else if (message.do === "observe") {
    await runFor(place, () => seat?.decide(message.events));
  } else {
    noteBegun(message.id);
    const { id, events, settleMs } = message;
    const during = { ...place, deciding: id };
    const decision = await runFor(during, () => seat?.decide(events, settleMs));
    if (decision) sayFor(message.seat)({ say: "decided", id, decision });
  }
  seat?.tellChanges();
}

function take(message: ToThread): void {
  if (message.do === "ping") send({ say: "pong" });
  else if (message.do === "stop") exit(0);
  else if (message.do === "attended") attendance.isAttended = message.isAttended;
  else {
    atWork++;
    meterSeat(message.seat, () => handle(message))
      .catch((thrown: unknown) => {
        const text = `the worker failed: ${messageOf(thrown)}`;
        sayFor(message.seat)({ say: "log", level: "error", text });
      })
      .finally(() => {
        lookAtMemory();
        if (--atWork === 0) file?.rests();
      });
  }
}

port?.on("message", take);
