import { url as debuggerUrl } from "node:inspector";
import { isMainThread, Worker } from "node:worker_threads";
import { onSlot, running, unsettled } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import { Field, LOOKS } from "./shared-board.ts";
import type { Report, ToWatchdog } from "./watchdog-thread.ts";

export interface WatchdogOptions {
  /** How many milliseconds code of an extension may hold the thread (10,000). */
  readonly afterMs?: number;
  /**
   * What happens then. "report" says so on stderr at once, and in the log and the session when the
   * thread is back; "end" says so on stderr and in the session, and ends the process.
   */
  readonly onStuck?: "end" | "report";
}

/** One agent, as the watch knows it. */
interface Watched {
  readonly options: Required<WatchdogOptions>;
  readonly warn: (text: string) => void;
  /** The thread is back. */
  readonly report: (report: Report) => void;
  /** The file of its session, if it has one. */
  readonly sessionFile: () => string | undefined;
}

export interface Watch {
  /** Another session has begun. */
  sessionChanged(): void;
  end(): Promise<void>;
}

export const NO_WATCH: Watch = { sessionChanged: () => {}, end: async () => {} };

const watched = new Set<Watched>();
let thread: WatchThread | undefined;

/**
 * Watches over the thread all agents of this process share, for as long as the agent lives. Only
 * the main thread can be watched: another one can be ended by whoever started it.
 */
export function watchOver(agent: Watched): Watch {
  if (!isMainThread) return NO_WATCH;
  watched.add(agent);
  thread ??= new WatchThread();
  thread.agree();
  return {
    sessionChanged: () => thread?.agree(),
    end: async () => {
      watched.delete(agent);
      if (watched.size > 0) return thread?.agree();
      const last = thread;
      thread = undefined;
      await last?.end();
    },
  };
}

class WatchThread {
  readonly #board = new Int32Array(new SharedArrayBuffer(Object.keys(Field).length * 4));
  readonly #worker: Worker;
  readonly #forget: () => void;
  #heart: NodeJS.Timeout | undefined;

  constructor() {
    this.#board[Field.tickMs] = tickMs();
    const buffers = { running: running.buffer, unsettled: unsettled.buffer };
    this.#worker = new Worker(builtFile("bin/watchdog-thread.js"), {
      workerData: { board: this.#board.buffer, ...buffers },
      execArgv: [],
      stdin: false,
    });
    this.#worker.unref();
    // Without it there is no watch, and everything else goes on.
    this.#worker.on("error", (error) => {
      for (const { warn } of watched) warn(`Extensions are not watched: ${messageOf(error)}`);
    });
    this.#worker.on("message", (told: Report) => {
      for (const { report } of [...watched]) report(told);
    });
    this.#forget = onSlot((slot, code) => this.#tell({ say: "slot", slot, code }));
    this.#beat();
  }

  /** The shortest limit counts for all; the process is ended only if all of them want that. */
  agree(): void {
    const all = [...watched];
    this.#board[Field.tickMs] = tickMs();
    const isWanted = all.every(({ options }) => options.onStuck === "end");
    this.#board[Field.endProcess] = isWanted ? 1 : 0;
    const files = all.flatMap(({ sessionFile }) => sessionFile() ?? []);
    this.#tell({ say: "sessions", files });
  }

  async end(): Promise<void> {
    clearTimeout(this.#heart);
    this.#forget();
    await this.#worker.terminate();
  }

  #beat(): void {
    this.#board[Field.debugged] = debuggerUrl() === undefined ? 0 : 1;
    Atomics.add(this.#board, Field.beats, 1);
    this.#heart = setTimeout(() => this.#beat(), this.#board[Field.tickMs]).unref();
  }

  #tell(told: ToWatchdog): void {
    this.#worker.postMessage(told);
  }
}

function tickMs(): number {
  const limitMs = Math.min(...[...watched].map(({ options }) => options.afterMs));
  return Math.max(1, Math.ceil(limitMs / LOOKS));
}
