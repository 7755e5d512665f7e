import { Worker } from "node:worker_threads";
import { SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import { AskedThread } from "../../threads/index.ts";
import type { CrewCalls, CrewNews, CrewThreadTask } from "./protocol.ts";

/** The thread of crews, seen from the daemon. It starts when it is needed, and again after it ended. */
export class CrewHost {
  readonly #thread: AskedThread<CrewCalls, CrewNews>;

  constructor(home: string, hear: (news: CrewNews) => void) {
    this.#thread = new AskedThread({
      start: () => startThread({ home }, (text) => hear({ say: "log", text })),
      hear,
      failure: (detail) => new SeamError("SEAM_CREW_FAILED", { detail }),
      onEnd: (why) => {
        hear({ say: "log", text: `The thread of crews ended: ${why}` });
        hear({ say: "busy", isBusy: false });
      },
    });
  }

  /** Goes on with what is under way. */
  wake(): void {
    this.#thread.wake();
  }

  ask<Method extends keyof CrewCalls>(
    method: Method,
    ask: CrewCalls[Method]["ask"],
  ): Promise<CrewCalls[Method]["answer"]> {
    return this.#thread.ask(method, ask);
  }

  async close(): Promise<void> {
    if (!this.#thread.isRunning) return;
    await this.#thread.ask("close", undefined).catch(() => {});
    await this.#thread.end();
  }
}

function startThread(task: CrewThreadTask, log: (text: string) => void): Worker {
  const options = { workerData: task, stdout: true, stderr: true };
  const worker = new Worker(builtFile("bin/crew-thread.js"), options);
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.on("data", (data: Buffer) => log(data.toString().trim()));
  }
  return worker;
}
