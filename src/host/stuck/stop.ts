import { framesOf, MainThread } from "./main-thread.ts";
import { type Answer, NOT_IN_AN_EVENT, type Question, type Verdict } from "./protocol.ts";

/** How long a thread that runs code takes to answer at most. */
const ANSWER_MS = 1_000;
const AT_ONCE_MS = 100;

type Call = Parameters<typeof framesOf>[0][number];

export interface Looks {
  /** The slot that had the thread at each of the last looks; 0 if they differ. */
  steady: number;
  /** Whether the process was at work meanwhile. */
  isBusy: boolean;
  /** The slot that has it now. */
  now(): number;
  /** What a slot stands for. */
  code(slot: number): { readonly path: string; readonly what: string } | undefined;
  /** Whether it has come back by itself. */
  isBack(): boolean;
}

/**
 * Stops what holds the main thread, if that is an extension. Undefined if it is not, or if the
 * thread cannot be reached: then nothing was done.
 */
export async function stop(key: string, looks: Looks): Promise<Verdict | undefined> {
  const main = new MainThread();
  main.connect();
  try {
    const startedAt = performance.now();
    const held = await main.hold(ANSWER_MS);
    if (held === "deaf") return undefined;
    const calls = held === "running" ? [] : held;
    // What only waits, for a program or a file, goes on by itself, and may have come to its end
    // just now. A wait for another thread is held at once, and in code of its own.
    const atOnce = performance.now() - startedAt < AT_ONCE_MS;
    const inNode = calls[0]?.url.startsWith("node:") ?? false;
    if (looks.isBack() || !(looks.isBusy || (atOnce && !inNode))) return undefined;
    const at = `globalThis[Symbol.for(${JSON.stringify(key)})]`;
    const question: Question = {
      steady: looks.steady,
      now: looks.now(),
      frames: framesOf(calls),
    };
    const asked = await main.evaluate(`${at}.who(${JSON.stringify(question)})`, ANSWER_MS);
    // Deep in a recursion there is no room left to look at anything.
    const { verdict: known = looks.code(looks.steady), suspects = [] } = (asked ?? {}) as Answer;
    const verdict = known ?? (await compare(main, calls, suspects));
    if (!verdict) return undefined;
    await main.evaluate(`${at}.prepare()`, ANSWER_MS);
    await main.terminate(calls);
    return verdict;
  } finally {
    await main.release();
  }
}

/** Looks for what is being run in the code of extensions that have no file of their own. */
async function compare(
  main: MainThread,
  calls: readonly Call[],
  suspects: NonNullable<Answer["suspects"]>,
): Promise<Verdict | undefined> {
  if (suspects.length === 0) return undefined;
  for (const call of calls.filter(({ url }) => !url.startsWith("node:"))) {
    const source = await main.source(call.scriptId);
    const offset = offsetOf(source, call);
    const found = suspects.find(({ code }) => code.some((text) => covers(source, text, offset)));
    const [where] = framesOf([call]);
    if (found) return { path: found.path, what: NOT_IN_AN_EVENT, ...(where && { where }) };
  }
  return undefined;
}

function offsetOf(source: string, { line, column }: Call): number {
  let start = 0;
  for (let i = 0; i < line; i++) start = source.indexOf("\n", start) + 1;
  return start + column;
}

/** Whether a text stands in the source around an offset. */
export function covers(source: string, text: string, offset: number): boolean {
  if (text === "") return false;
  for (let at = source.indexOf(text); at >= 0 && at <= offset; at = source.indexOf(text, at + 1)) {
    if (offset < at + text.length) return true;
  }
  return false;
}
