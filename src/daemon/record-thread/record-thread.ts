import { Worker } from "node:worker_threads";
import { messageOf } from "../../errors/index.ts";
import {
  type GitRequest,
  type HookRecord,
  type Recorder,
  type RepoProblem,
  withCommit,
} from "../../record/index.ts";
import { builtFile } from "../../settings/index.ts";
import type { RecordService } from "../hooks/git-hook-service.ts";
import type { FromRecordWorker, RecordCall, RecordTask, ToRecordWorker } from "./protocol.ts";
import { sendableRecord } from "./sendable-record.ts";

interface Options extends RecordTask {
  readonly log: (level: "info" | "warn", text: string, error?: unknown) => void;
  /** Another thread than the usual one, and less memory for it: for tests. */
  readonly file?: string;
  readonly memoryMb?: number;
}

interface Pending {
  call: RecordCall;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** How often the thread ended while this was the only thing it worked on. */
  ends: number;
}

/** A request that ends the thread this often while it is alone is the cause. */
const MOST_ENDS = 2;
/** A thread that does not start is tried again after these times, the last one for ever. */
const START_AGAIN_MS = [0, 1_000, 5_000, 30_000];
const CLOSE_MS = 4_000;
/** A repository or transcript that is out of all bounds ends the thread and not the daemon. */
const MEMORY_MB = 1_024;

/**
 * The recorder in a thread of its own. What it was given and has not answered is kept here: if the
 * thread ends before its time, the next one gets it again, one by one, so that what ended the first
 * is found out and everything else is recorded. The recorder notices what it has dealt with already.
 */
export class RecordThread implements Recorder, RecordService {
  readonly #options: Options;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #isReady = false;
  #lastId = 0;
  /** One at a time, until all that was there when the thread ended is done. */
  #isCareful = false;
  #failedStarts = 0;
  #startTimer: NodeJS.Timeout | undefined;
  #problems: readonly RepoProblem[] = [];
  #isClosed = false;
  readonly #sweeping = new Map<"endGone" | "sweep", Promise<void>>();

  constructor(options: Options) {
    this.#options = options;
  }

  accept(record: HookRecord): Promise<void> {
    return this.#ask({ method: "accept", record: sendableRecord(record) });
  }

  git(request: GitRequest): Promise<void> {
    return this.#ask({ method: "git", request });
  }

  lost(folder: string, what: string): Promise<void> {
    return this.#ask({ method: "lost", folder, what });
  }

  forget(folder: string, session: string): Promise<void> {
    return this.#ask({ method: "forget", folder, session });
  }

  endGone(): Promise<void> {
    return this.#sweep("endGone");
  }

  sweep(): Promise<void> {
    return this.#sweep("sweep");
  }

  /** Without a thread nothing was recorded that could be swept. One of a kind at a time is enough. */
  #sweep(method: "endGone" | "sweep"): Promise<void> {
    if (!this.#worker) return Promise.resolve();
    const underWay = this.#sweeping.get(method);
    if (underWay) return underWay;
    const sweeping = this.#ask({ method }).finally(() => this.#sweeping.delete(method));
    this.#sweeping.set(method, sweeping);
    return sweeping;
  }

  /** In this thread: a look at HEAD, which may have moved on by the time the other one gets to it. */
  withCommit(request: GitRequest): Promise<GitRequest> {
    return withCommit(request);
  }

  problems(): readonly RepoProblem[] {
    return this.#problems;
  }

  overtaken(hookId: string): void {
    for (const pending of this.#pending.values()) {
      const { call } = pending;
      if (call.method !== "accept" || call.record.id !== hookId) continue;
      // The next thread has to be told as well.
      pending.call = { ...call, record: { ...call.record, late: true } };
    }
    if (this.#isReady) this.#post({ do: "overtaken", hookId });
  }

  /** Ends the thread, with what it has under way done if that does not take long. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#worker && this.#isReady) {
      const closing = this.#ask({ method: "close" }).catch(() => {});
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([closing, late]);
      clearTimeout(timer);
    }
    this.#isClosed = true;
    clearTimeout(this.#startTimer);
    await this.#worker?.terminate();
    // What is not done stays in the journal; nobody may take it for done, nor for failed.
    this.#pending.clear();
  }

  #ask(call: RecordCall): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("the recorder is closed"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { call, resolve, reject, ends: 0 });
      if (!this.#worker && !this.#startTimer) this.#start();
      else if (this.#isReady && (!this.#isCareful || this.#pending.size === 1)) this.#give(id);
    });
  }

  #start(): void {
    const { log, version, file = builtFile("bin/record-worker.js") } = this.#options;
    const { memoryMb = MEMORY_MB } = this.#options;
    this.#startTimer = undefined;
    try {
      const task: RecordTask = { version };
      const worker = new Worker(file, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      });
      this.#worker = worker;
      let why = "";
      worker.on("message", (message: FromRecordWorker) => this.#heard(message));
      worker.on("error", (error) => {
        why = messageOf(error);
      });
      worker.on("exit", (code) => this.#ended(why || `it ended with code ${code}`));
    } catch (error) {
      log("warn", "The thread that records cannot be started", error);
      this.#startLater();
    }
  }

  #ended(why: string): void {
    const wasReady = this.#isReady;
    this.#worker = undefined;
    this.#isReady = false;
    if (this.#isClosed) return;
    this.#options.log("warn", `The thread that records ended and is started again: ${why}`);
    if (wasReady) this.#failedStarts = 0;
    if (wasReady && this.#isCareful) this.#blameFirst(why);
    this.#isCareful = true;
    this.#startLater();
  }

  /** Only one thing was under way: it cannot have been anything else. */
  #blameFirst(why: string): void {
    const [first] = this.#pending;
    if (!first) return;
    const [id, pending] = first;
    pending.ends++;
    if (pending.ends < MOST_ENDS) return;
    this.#settle(id, `it ended the thread that records: ${why}`);
    const { call } = pending;
    const folder = call.method === "accept" ? call.record.cwd : undefined;
    if (call.method !== "accept" || folder === undefined) return;
    const what = `${call.record.agent} ${call.record.hook} could not be recorded: ${why}`;
    void this.lost(folder, what).catch(() => {});
  }

  #startLater(): void {
    const ms = START_AGAIN_MS[this.#failedStarts] ?? START_AGAIN_MS.at(-1);
    this.#failedStarts++;
    this.#startTimer = setTimeout(() => this.#start(), ms);
    this.#startTimer.unref();
  }

  #heard(message: FromRecordWorker): void {
    switch (message.say) {
      case "ready":
        this.#isReady = true;
        this.#failedStarts = 0;
        this.#giveWaiting();
        break;
      case "done":
        this.#settle(message.id, message.error);
        if (this.#isCareful) this.#giveWaiting();
        break;
      case "log":
        this.#options.log(message.level, message.text, message.error);
        break;
      case "problems":
        this.#problems = message.problems;
    }
  }

  /** All that waits, in the order in which it came; the first of it after a thread has ended. */
  #giveWaiting(): void {
    if (this.#pending.size === 0) this.#isCareful = false;
    for (const id of this.#pending.keys()) {
      this.#give(id);
      if (this.#isCareful) return;
    }
  }

  #give(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    try {
      this.#post({ do: "call", id, call: pending.call });
    } catch (error) {
      this.#settle(id, `it cannot be handed over: ${messageOf(error)}`);
    }
  }

  #post(message: ToRecordWorker): void {
    this.#worker?.postMessage(message);
  }

  #settle(id: number, error: string | undefined): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (error === undefined) pending.resolve();
    else pending.reject(new Error(error));
  }
}
