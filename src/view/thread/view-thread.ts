import { Worker } from "node:worker_threads";
import { SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import { AskedThread } from "../../threads/index.ts";
import type { ViewCalls } from "./protocol.ts";

/** A transcript or repository that is out of all bounds ends the thread and not the daemon. */
const MEMORY_MB = 1_024;
/** More questions than that are not kept waiting: whoever asks them is no person. */
const MOST_WAITING = 200;

interface Options {
  readonly warn: (text: string) => void;
  /** Another thread than the usual one: for tests. */
  readonly file?: string;
}

const failure = (detail: string) => new SeamError("SEAM_VIEW_READER", { detail });

/** Reads transcripts and repositories in a thread of its own, which is started when it is needed. */
export class ViewThread {
  readonly #thread: AskedThread<ViewCalls>;
  #isClosed = false;

  constructor({ warn, file = builtFile("bin/view-worker.js") }: Options) {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
    this.#thread = new AskedThread({
      start: () => new Worker(file, { resourceLimits }),
      failure,
      onEnd: (why) => warn(`The thread that reads for the page ended: ${why}`),
    });
  }

  async ask<Method extends keyof ViewCalls>(
    method: Method,
    ask: ViewCalls[Method]["ask"],
  ): Promise<ViewCalls[Method]["answer"]> {
    if (this.#isClosed) throw failure("the daemon ends");
    if (this.#thread.waiting >= MOST_WAITING) throw failure("too much is asked at once");
    return this.#thread.ask(method, ask);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#thread.end();
  }
}
