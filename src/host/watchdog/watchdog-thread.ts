import { existsSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { RunningCode } from "../../dispatch/index.ts";
import { explain, SeamError } from "../../errors/index.ts";
import { noteInSession } from "./session-note.ts";
import { Field, type WatchTask } from "./shared-board.ts";
import { Silence } from "./silence.ts";
import { keepStuckNotes, stuckNotes } from "./stuck-notes.ts";
import { describeSuspects, type Suspicion, suspicionOf } from "./suspects.ts";

// Watches the main thread from a thread of its own: see watchdog.ts.

/** What the main thread tells: when the answer is needed, nobody is there to ask. */
export type ToWatchdog =
  | { readonly say: "slot"; readonly slot: number; readonly code: RunningCode }
  | { readonly say: "sessions"; readonly files: readonly string[] };

/** What it is told once it is back. */
export interface Report {
  readonly suspicion: Suspicion;
  readonly heldMs: number;
}

const task = workerData as WatchTask;
const board = new Int32Array(task.board);
const running = new Int32Array(task.running);
const unsettled = new Int32Array(task.unsettled);

const codes = new Map<number, RunningCode>();
let sessions: readonly string[] = [];
parentPort?.on("message", (told: ToWatchdog) => {
  if (told.say === "slot") codes.set(told.slot, told.code);
  else sessions = told.files;
});

const silence = new Silence();
let beats = -1;
let seen = new Set<number>();
let isReported = false;

const read = (field: number) => Atomics.load(board, field);

function look(): void {
  const tickMs = read(Field.tickMs);
  setTimeout(look, tickMs);
  const now = Atomics.load(running, 0);
  if (read(Field.beats) !== beats || read(Field.debugged) === 1) {
    beats = read(Field.beats);
    seen = new Set();
    silence.end();
    isReported = false;
    return;
  }
  silence.look();
  seen.add(now);
  const suspicion = suspicionOf(seen, unsettled, codes);
  if (isReported || !silence.isTooLong(tickMs, suspicion.how)) return;
  isReported = true;
  const report: Report = { suspicion, heldMs: silence.ms(tickMs) };
  if (read(Field.endProcess) === 1) end(report);
  else say("SEAM_HANDLER_STUCK", report);
}

/** Says who it was, where it is read: the thread that usually does so cannot. */
function say(code: "SEAM_HANDLER_STUCK" | "SEAM_PROCESS_STUCK", report: Report): SeamError {
  const { suspicion, heldMs } = report;
  const error = new SeamError(code, {
    who: describeSuspects(suspicion),
    seconds: Math.round(heldMs / 100) / 10,
    without: suspicion.suspects.map(({ name }) => `--without ${name}`).join(" "),
  });
  attempt(() => writeSync(2, `${explain(error)}\n`));
  parentPort?.postMessage(report);
  return error;
}

function end(report: Report): void {
  const { suspicion, heldMs } = report;
  const { message: text } = say("SEAM_PROCESS_STUCK", report);
  for (const file of sessions) {
    attempt(() => {
      if (existsSync(file)) noteInSession(file, { ...suspicion, heldMs, ended: true });
    });
  }
  attempt(() => {
    const certain = suspicion.how === "certain";
    const added = suspicion.suspects.map(({ name, path }) => {
      return { name, path, certain, text, at: Date.now() };
    });
    const others = stuckNotes().filter(({ path }) => !added.some((note) => note.path === path));
    keepStuckNotes([...others, ...added]);
  });
  // A thread cannot exit for its process.
  process.kill(process.pid, "SIGKILL");
}

/** One thing that cannot be written must not keep the next from being written. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {}
}

look();
