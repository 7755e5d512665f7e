import { Worker } from "node:worker_threads";
import { messageOf, SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import type {
  CrewCalls,
  CrewMethod,
  CrewNews,
  CrewThreadTask,
  FromCrewThread,
  SentError,
  ToCrewThread,
} from "./protocol.ts";

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The thread of crews, seen from the daemon. It starts when it is needed, and again after it ended. */
export class CrewHost {
  readonly #home: string;
  readonly #hear: (news: CrewNews) => void;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(home: string, hear: (news: CrewNews) => void) {
    this.#home = home;
    this.#hear = hear;
  }

  /** Goes on with what is under way. */
  wake(): void {
    this.#worker ??= this.#start();
  }

  ask<Method extends CrewMethod>(
    method: Method,
    ask: CrewCalls[Method]["ask"],
  ): Promise<CrewCalls[Method]["answer"]> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // The protocol says what the answer to each question is.
      const settle = (answer: unknown) => resolve(answer as CrewCalls[Method]["answer"]);
      this.#pending.set(id, { resolve: settle, reject });
      try {
        this.#worker ??= this.#start();
        const message: ToCrewThread = { id, method, ask };
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
    await this.ask("close", undefined).catch(() => {});
    this.#worker = undefined;
    await worker.terminate();
  }

  #start(): Worker {
    const task: CrewThreadTask = { home: this.#home };
    const worker = new Worker(builtFile("bin/crew-thread.js"), {
      workerData: task,
      stdout: true,
      stderr: true,
    });
    let why = "it was ended";
    worker.on("message", (message: FromCrewThread) => this.#heard(message));
    worker.on("error", (error) => {
      why = messageOf(error);
    });
    worker.on("exit", () => {
      for (const { reject } of this.#pending.values()) reject(asError({ message: why }));
      this.#pending.clear();
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#hear({ say: "log", text: `The thread of crews ended: ${why}` });
      this.#hear({ say: "busy", isBusy: false });
    });
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on("data", (data: Buffer) => this.#hear({ say: "log", text: data.toString().trim() }));
    }
    // A daemon that has nothing else to do may end.
    worker.unref();
    return worker;
  }

  #heard(message: FromCrewThread): void {
    if (message.say !== "done" && message.say !== "failed") {
      this.#hear(message);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.say === "done") pending?.resolve(message.answer);
    else pending?.reject(asError(message.error));
  }
}

function asError({ message, code, details }: SentError): SeamError {
  return code === undefined
    ? new SeamError("SEAM_CREW_FAILED", { detail: message })
    : new SeamError(code, details);
}
