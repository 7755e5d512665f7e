import { ProgramRuns } from "./program-runs.ts";
import type { Order, Program, ProgramEnd, Told } from "./protocol.ts";
import { Starter } from "./starter.ts";

/** A program that runs. */
export interface RunningProgram {
  /** Rejects if it could not be started; the error has the system's code. */
  readonly end: Promise<ProgramEnd>;
  kill(signal: NodeJS.Signals): void;
}

interface Waiting {
  readonly resolve: (end: ProgramEnd) => void;
  readonly reject: (error: Error) => void;
  /** Who has the order. */
  readonly by: Starter | ProgramRuns;
}

const waiting = new Map<number, Waiting>();
let lastId = 0;
let isLarge = false;
let starter: Starter | undefined;
const own = new ProgramRuns(told);

/** From now on a small process of its own runs the programs that this thread asks for. */
export function useStarter(): void {
  isLarge = true;
}

/** Runs a program, here or in the starter, and collects what it prints. */
export function runProgram(program: Program): RunningProgram {
  const id = ++lastId;
  const by = isLarge ? currentStarter() : own;
  const end = new Promise<ProgramEnd>((resolve, reject) => {
    waiting.set(id, { resolve, reject, by });
  });
  give(by, { do: "run", id, program });
  return { end, kill: (signal) => give(by, { do: "kill", id, signal }) };
}

function give(by: Starter | ProgramRuns, order: Order): void {
  if (by instanceof Starter) by.send(order);
  else by.take(order);
}

function currentStarter(): Starter {
  if (starter) return starter;
  const made: Starter = new Starter({ tell: told, onEnd: () => lost(made) });
  starter = made;
  return made;
}

function told(news: Told): void {
  const one = waiting.get(news.id);
  waiting.delete(news.id);
  if ("end" in news) one?.resolve(news.end);
  else one?.reject(Object.assign(new Error(news.failed.message), { code: news.failed.code }));
}

function lost(gone: Starter): void {
  if (starter === gone) starter = undefined;
  for (const [id, { by, reject }] of waiting) {
    if (by !== gone) continue;
    waiting.delete(id);
    reject(new Error("the process that ran it has ended"));
  }
}
