/** The thread in which a session's extensions run. It can be killed without harm to anyone else. */
import { parentPort, workerData } from "node:worker_threads";
import { codeIn, onSlot, running } from "../../dispatch/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import { EVENT_NAMES, type EventName, type SeamEvent } from "../../events/index.ts";
import {
  describeProblem,
  type ExtensionProblem,
  type InlineExtension,
  loadExtensions,
  prove,
} from "../../extensions/index.ts";
import { decide } from "./decide.ts";
import { foreignHost } from "./foreign-host.ts";
import type { FromWorker, LeftOut, ToWorker, WorkerTask } from "./protocol.ts";

const task = workerData as WorkerTask;
const { cwd, cacheDir, loadDeadlineMs, deadlines } = task;
const port = parentPort;
const send = (message: FromWorker) => port?.postMessage(message);

// A thread shares the daemon's folder; extensions mean the session's.
process.cwd = () => cwd;
// Ends only this thread; who did it is known here and nowhere else.
const exit = process.exit;
process.exit = (code) => {
  const stack = new Error().stack ?? "";
  const named = task.sources.find(({ path }) => stack.includes(path))?.path;
  send({ say: "exiting", path: named ?? codeIn(running[0] ?? 0)?.path });
  return exit(code);
};
send({ say: "running", memory: running.buffer as SharedArrayBuffer });
onSlot((slot, { path }) => send({ say: "slot", slot, path }));

/** In its place: it is reported, and tool calls are blocked if it is critical. */
const standIn = ({ source, critical, why }: LeftOut): InlineExtension => ({
  name: source.name,
  critical,
  factory: () => {
    throw new SeamError("SEAM_EXT_LEFT_OUT", { path: source.path, detail: why });
  },
});

const leftOut = new Map(task.leftOut.map((one) => [one.source.path, one]));
const wanted = task.sources.filter(({ path }) => !leftOut.has(path));
const proven = await prove(wanted, { cwd, cacheDir, loadDeadlineMs });
const set = await loadExtensions({
  cwd,
  sources: [...task.leftOut.map(standIn), ...proven],
  cacheDir,
  loadDeadlineMs,
  deadlines,
});
const { dispatcher } = set;
const complain = (problem: ExtensionProblem) =>
  send({ say: "log", level: "warn", text: describeProblem(problem, cwd) });
const state = { idle: false };
const host = foreignHost(task, state, {
  send,
  log: (level, text) => {
    // Problems are told in full, once.
    if (set.problems.at(-1)?.error.message !== text) send({ say: "log", level, text });
  },
});
for (const problem of set.problems) complain(problem);
set.onProblem(complain);
set.bind(host);

let known = listened();
send({ say: "ready", listened: known });
setInterval(tellChanges, 1_000).unref();

function listened(): EventName[] {
  return EVENT_NAMES.filter((name) => dispatcher.has(name));
}

function tellChanges(): void {
  const now = listened();
  if (now.length === known.length && now.every((name, index) => name === known[index])) return;
  known = now;
  send({ say: "listened", events: now });
}

/** What cannot be sent between threads is made here. */
function revive(event: SeamEvent): SeamEvent {
  state.idle = event.type === "agent_end" || event.type === "agent_settled";
  return event.type === "session_before_compact"
    ? { ...event, signal: new AbortController().signal }
    : event;
}

async function handle(message: ToWorker): Promise<void> {
  if (message.do === "ping") {
    send({ say: "pong" });
  } else if (message.do === "end") {
    dispatcher.emit(message.event);
    await dispatcher.settled(2_000);
    set.dispose();
    exit(0);
  } else {
    const decision = await decide(dispatcher, message.events.map(revive));
    if (message.do === "observe") return tellChanges();
    if (message.settleMs > 0) await dispatcher.settled(message.settleMs);
    send({ say: "decided", id: message.id, decision });
    tellChanges();
  }
}

port?.on("message", (message: ToWorker) => {
  handle(message).catch((thrown: unknown) => {
    send({ say: "log", level: "error", text: `the worker failed: ${messageOf(thrown)}` });
  });
});
