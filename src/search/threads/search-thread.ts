import { Worker } from "node:worker_threads";
import { messageOf, SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import type { Progress } from "../indexing/indexer.ts";
import type {
  FromSearchWorker,
  SearchCalls,
  SearchMethod,
  SearchTask,
  SentError,
  ToSearchWorker,
} from "./protocol.ts";

interface Options extends SearchTask {
  readonly log: (level: "info" | "warn", text: string) => void;
  readonly onProgress?: (progress: Progress) => void;
}

/** A transcript that is out of all bounds ends the thread and not the daemon. */
const MEMORY_MB = 512;

/** One thread of search. It starts with the first question, and again after it has ended. */
export class SearchThread {
  readonly #options: Options;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether it has something to do. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  ask<Method extends SearchMethod>(
    method: Method,
    ask: SearchCalls[Method]["ask"],
  ): Promise<SearchCalls[Method]["answer"]> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // The protocol says what the answer to each question is.
      const settle = (answer: unknown) => resolve(answer as SearchCalls[Method]["answer"]);
      this.#pending.set(id, { resolve: settle, reject });
      try {
        this.#worker ??= this.#start();
        const message: ToSearchWorker = { id, method, ask };
        this.#worker.postMessage(message);
      } catch (error) {
        this.#pending.delete(id);
        reject(asError({ message: messageOf(error) }));
      }
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    // What it has under way can be done again; nothing waits for it.
    await worker.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const { duty, home, log } = this.#options;
    const task: SearchTask = { duty, home };
    const worker = new Worker(builtFile("bin/search-worker.js"), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    let why = "it was ended";
    worker.on("message", (message: FromSearchWorker) => this.#heard(message));
    worker.on("error", (error) => {
      why = messageOf(error);
      log("warn", `A thread of search ended: ${why}`);
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#pending.values()) reject(asError({ message: why }));
      this.#pending.clear();
    });
    // A daemon that has nothing else to do may end.
    worker.unref();
    return worker;
  }

  #heard(message: FromSearchWorker): void {
    if (message.say === "log") this.#options.log(message.level, message.text);
    else if (message.say === "progress") this.#options.onProgress?.(message.progress);
    else this.#settle(message);
  }

  #settle(message: Extract<FromSearchWorker, { id: number }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.say === "done") pending?.resolve(message.answer);
    else pending?.reject(asError(message.error));
  }
}

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

function asError({ message, code, details }: SentError): SeamError {
  return code === undefined
    ? new SeamError("SEAM_INDEX_FAILED", { path: "the daemon", detail: message })
    : new SeamError(code, details);
}
