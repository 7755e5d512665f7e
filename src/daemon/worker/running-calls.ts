import type { AskedDialog, CallEnd } from "./protocol.ts";

/** Puts a dialog of a tool to the user of whoever called the tool. Undefined: nobody answered. */
export type AskCaller = (dialog: AskedDialog, signal: AbortSignal) => Promise<string | undefined>;

/** What whoever calls a tool or a command has to do with it while it runs. */
export interface CallOptions {
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
  readonly ask?: AskCaller;
}

interface RunningCall extends Pick<CallOptions, "progress" | "ask"> {
  readonly resolve: (end: CallEnd) => void;
  timer?: NodeJS.Timeout;
}

/** How often a thread in which a tool runs is asked whether it is alive. */
const LOOK_MS = 20_000;

/** The tools and commands of a session that run, by their numbers in the thread. */
export class RunningCalls {
  readonly #calls = new Map<number, RunningCall>();

  get size(): number {
    return this.#calls.size;
  }

  add(id: number, { progress, ask }: CallOptions): Promise<CallEnd> {
    return new Promise((resolve) => {
      this.#calls.set(id, { progress, resolve, ...(ask && { ask }) });
    });
  }

  /** Looks now and then after what runs, until it has ended. */
  watch(id: number, look: () => void): void {
    const call = this.#calls.get(id);
    if (!call) return;
    call.timer = setTimeout(() => {
      look();
      this.watch(id, look);
    }, LOOK_MS);
  }

  progress(id: number, text: string): void {
    this.#calls.get(id)?.progress(text);
  }

  askerOf(id: number | undefined): AskCaller | undefined {
    return id === undefined ? undefined : this.#calls.get(id)?.ask;
  }

  ended(id: number, end: CallEnd): void {
    const call = this.#calls.get(id);
    clearTimeout(call?.timer);
    this.#calls.delete(id);
    call?.resolve(end);
  }

  /** What runs cannot be moved, and is not run again: nobody knows how far it came. */
  breakOff(why: string): void {
    for (const id of [...this.#calls.keys()]) this.ended(id, brokenOff(why));
  }
}

export function brokenOff(why: string): CallEnd {
  const text = `The call broke off: ${why}. It may have done a part of its work.`;
  return { content: [{ type: "text", text }], isError: true };
}
