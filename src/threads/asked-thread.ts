import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { messageOf, SeamError } from "../errors/index.ts";
import type { Answered, Asked, CallTable, Leave, SentError } from "./calls.ts";

interface Options<News> {
  readonly start: () => Worker;
  /** What the thread says without being asked. */
  readonly hear?: (news: News) => void;
  /** What became of a question that the thread could not answer and gave no code for. */
  readonly failure: (detail: string) => SeamError;
  /** The thread ended without being told to. */
  readonly onEnd?: (why: string) => void;
  /**
   * How long a thread that is told to end may take to close what it has open, before it is stopped
   * wherever it is. A native module that is stopped in the middle of a call, as SQLite's, says so on
   * stderr.
   */
  readonly leaveMs?: number;
}

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
}

/** A thread that answers questions. It starts with the first one, and again after it has ended. */
export class AskedThread<Calls extends CallTable<Calls>, News extends { say: string } = never> {
  readonly #options: Options<News>;
  #running: Running | undefined;
  #lastId = 0;

  constructor(options: Options<News>) {
    this.#options = options;
  }

  /** How many questions have no answer yet. */
  get waiting(): number {
    return this.#running?.pending.size ?? 0;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Starts it, for what it does without being asked. */
  wake(): void {
    this.#running ??= this.#start();
  }

  ask<Method extends keyof Calls & string>(
    method: Method,
    ask: Calls[Method]["ask"],
  ): Promise<Calls[Method]["answer"]> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      try {
        this.#running ??= this.#start();
        const message: Asked = { id, method, ask };
        this.#running.worker.postMessage(message);
        // Both ends are of one build: the answer is what the table says.
        const settle = (answer: unknown) => resolve(answer as Calls[Method]["answer"]);
        this.#running.pending.set(id, { resolve: settle, reject });
      } catch (error) {
        reject(this.#options.failure(messageOf(error)));
      }
    });
  }

  /** Ends it, whatever it has under way; the next question starts another one. */
  async end(): Promise<void> {
    const worker = this.#running?.worker;
    this.#running = undefined;
    if (!worker) return;
    const { leaveMs } = this.#options;
    if (leaveMs !== undefined) await leaves(worker, leaveMs);
    await worker.terminate();
  }

  #start(): Running {
    const worker = this.#options.start();
    const running: Running = { worker, pending: new Map() };
    let why: string | undefined;
    worker.on("message", (message: Answered | News) => this.#heard(running, message));
    worker.on("error", (error) => {
      why = messageOf(error);
    });
    worker.on("exit", (code) => this.#ended(running, why ?? `it ended with code ${code}`));
    // A process that has nothing else to do may end.
    worker.unref();
    return running;
  }

  #heard({ pending }: Running, message: Answered | News): void {
    if (!isAnswer(message)) {
      this.#options.hear?.(message);
      return;
    }
    const asked = pending.get(message.id);
    pending.delete(message.id);
    if (message.say === "done") asked?.resolve(message.answer);
    else asked?.reject(this.#errorOf(message.error));
  }

  #ended(running: Running, why: string): void {
    for (const { reject } of running.pending.values()) reject(this.#options.failure(why));
    running.pending.clear();
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#options.onEnd?.(why);
  }

  #errorOf({ message, code, details }: SentError): SeamError {
    return code === undefined ? this.#options.failure(message) : new SeamError(code, details);
  }
}

/** Tells a thread to end, and waits until it did or the time is over. */
async function leaves(worker: Worker, ms: number): Promise<void> {
  const left = new AbortController();
  const message: Leave = { leave: true };
  // Listening comes first: the thread may end before the next line.
  const gone = once(worker, "exit", { signal: left.signal });
  worker.postMessage(message);
  const late = sleep(ms, undefined, { signal: left.signal });
  await Promise.race([gone, late]).catch(() => {});
  left.abort();
  await Promise.allSettled([gone, late]);
}

function isAnswer(message: { readonly say: string }): message is Answered {
  return message.say === "done" || message.say === "failed";
}
