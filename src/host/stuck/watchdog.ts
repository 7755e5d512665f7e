import { randomUUID } from "node:crypto";
import { url as debuggerUrl } from "node:inspector";
import { isMainThread, Worker } from "node:worker_threads";
import { onSlot, running } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { ExtensionSet } from "../../extensions/index.ts";
import { builtFile } from "../../settings/index.ts";
import { clearAsyncStack } from "./async-stack.ts";
import { Field, LOOKS, type Question, type Verdict } from "./protocol.ts";
import { who } from "./who.ts";

/** One agent, as the watch knows it. */
export interface Watched {
  /** How long code of an extension may hold the thread. */
  readonly limitMs: number;
  /** End the process if the thread cannot be freed. */
  readonly endProcess: boolean;
  readonly set: () => ExtensionSet;
  readonly log: (text: string) => void;
  /** The thread was taken from an extension, and from everything that was on the stack below it. */
  readonly cut: (verdict: Verdict) => void;
}

const watched = new Set<Watched>();
let watch: { board: Int32Array; end: () => Promise<void> } | undefined;

/**
 * Watches over the thread all agents of this process share, for as long as the agent lives. Only
 * the main thread can be watched: another one can be ended by whoever started it.
 */
export function watchOver(agent: Watched): () => Promise<void> {
  if (!isMainThread || agent.limitMs <= 0) return async () => {};
  watched.add(agent);
  watch ??= start();
  agree(watch.board);
  return async () => {
    watched.delete(agent);
    if (watch && watched.size > 0) return agree(watch.board);
    const last = watch;
    watch = undefined;
    await last?.end();
  };
}

/** The shortest limit counts for all. */
function agree(board: Int32Array): void {
  const all = [...watched];
  const limitMs = Math.min(...all.map((one) => one.limitMs));
  board[Field.tickMs] = Math.max(1, Math.ceil(limitMs / LOOKS));
  board[Field.endProcess] = all.every((one) => one.endProcess) ? 1 : 0;
}

function start() {
  const board = new Int32Array(new SharedArrayBuffer(Object.keys(Field).length * 4));
  agree(board);
  const key = `agentseam.stuck.${randomUUID()}`;
  const worker = new Worker(builtFile("bin/stuck-worker.js"), {
    workerData: { board: board.buffer, running: running.buffer, key },
    execArgv: [],
    stdin: false,
  });
  worker.unref();
  // Without it there is no watch, and everything else goes on.
  worker.on("error", (error) => {
    for (const { log } of watched) log(`Extensions are not watched: ${messageOf(error)}`);
  });
  worker.on("message", (verdict: Verdict) => {
    for (const { cut } of [...watched]) cut(verdict);
  });
  const forget = onSlot((slot, code) => worker.postMessage([slot, code]));
  Reflect.set(globalThis, Symbol.for(key), {
    who: (question: Question) => who(question, new Set([...watched].map(({ set }) => set()))),
    prepare: clearAsyncStack,
  });
  let heart: NodeJS.Timeout | undefined;
  const beat = () => {
    board[Field.debugged] = debuggerUrl() === undefined ? 0 : 1;
    Atomics.add(board, Field.beats, 1);
    heart = setTimeout(beat, board[Field.tickMs]).unref();
  };
  beat();
  const end = async () => {
    clearTimeout(heart);
    forget();
    Reflect.deleteProperty(globalThis, Symbol.for(key));
    const ended = worker.terminate();
    // Node would wait at the end of the process, and say so.
    if (Atomics.load(board, Field.connected) === 1) await ended;
  };
  return { board, end };
}
