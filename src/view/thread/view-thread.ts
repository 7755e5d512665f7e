import { Worker } from "node:worker_threads";
import { messageOf, SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import type { ViewAsked, ViewCalls, ViewMethod, ViewReplied } from "./protocol.ts";

/** A transcript or repository that is out of all bounds ends the thread and not the daemon. */
const MEMORY_MB = 1_024;
/** More questions than that are not kept waiting: whoever asks them is no person. */
const MOST_WAITING = 200;

interface Options {
  readonly warn: (text: string) => void;
  /** Another thread than the usual one: for tests. */
  readonly file?: string;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Reads transcripts and repositories in a thread of its own, which is started when it is needed. */
export class ViewThread {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  ask<Method extends ViewMethod>(
    method: Method,
    wish: ViewCalls[Method][0],
  ): Promise<ViewCalls[Method][1]> {
    if (this.#isClosed || this.#waiting.size >= MOST_WAITING) {
      const detail = this.#isClosed ? "the daemon ends" : "too much is asked at once";
      return Promise.reject(new SeamError("SEAM_VIEW_READER", { detail }));
    }
    const id = ++this.#lastId;
    return new Promise<ViewCalls[Method][1]>((resolve, reject) => {
      // The thread answers each question with what belongs to it.
      this.#waiting.set(id, {
        resolve: (answer) => resolve(answer as ViewCalls[Method][1]),
        reject,
      });
      const asked: ViewAsked<Method> = { id, method, wish };
      try {
        this.#started().postMessage(asked);
      } catch (error) {
        this.#waiting.delete(id);
        reject(new SeamError("SEAM_VIEW_READER", { detail: messageOf(error) }));
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#options.file ?? builtFile("bin/view-worker.js"), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    this.#worker = worker;
    worker.unref();
    let why = "";
    worker.on("message", (reply: ViewReplied) => this.#heard(reply));
    worker.on("error", (error) => {
      why = messageOf(error);
    });
    worker.on("exit", (code) => this.#ended(worker, why || `it ended with code ${code}`));
    return worker;
  }

  #heard({ id, answer, refused, failed }: ViewReplied): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (refused) waiting?.reject(new SeamError(refused.code, refused.details));
    else if (failed !== undefined) {
      waiting?.reject(new SeamError("SEAM_VIEW_READER", { detail: failed }));
    } else waiting?.resolve(answer);
  }

  /** The next question starts another one. */
  #ended(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (!this.#isClosed) this.#options.warn(`The thread that reads for the page ended: ${why}`);
    for (const { reject } of this.#waiting.values()) {
      reject(new SeamError("SEAM_VIEW_READER", { detail: why }));
    }
    this.#waiting.clear();
  }
}
