import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { messageOf, systemCode } from "../../errors/index.ts";
import { declarationOf, type EventName, type SeamEvent } from "../../events/index.ts";
import { packageRoot } from "../../settings/index.ts";
import type { LogLevel } from "../log.ts";
import type { Decision, FromWorker, ToWorker, WorkerTask } from "./protocol.ts";

/** Why there is no decision. */
export interface WorkerFailure {
  /** seam: before any extension could do anything. */
  readonly kind: "stuck" | "ended" | "seam";
  /** The extensions that may have caused it; one, if it is known. */
  readonly suspects: readonly string[];
  readonly detail: string;
}

export type Decided = { readonly decision: Decision } | { readonly failure: WorkerFailure };

export interface WorkerEvents {
  log(level: LogLevel, text: string): void;
  /** For the user. */
  notice(text: string): void;
  /** For the model. */
  message(text: string, now: boolean): void;
  /** It ended and was not asked to. */
  failed(failure: WorkerFailure): void;
}

type Hear = {
  readonly [Say in FromWorker["say"]]: (message: Extract<FromWorker, { say: Say }>) => void;
};

interface Pending {
  readonly message: Extract<ToWorker, { do: "decide" }>;
  readonly limitMs: number;
  readonly resolve: (decided: Decided) => void;
  timer: NodeJS.Timeout | undefined;
}

/** Beyond the deadline that handlers have: for one that cannot be told that its time is up. */
const GRACE_MS = 1_000;
/** How long a thread that is alive may take to say so. */
const PONG_MS = 2_000;
const END_MS = 3_000;
/** One extension that leaks must not take the daemon's memory with it. */
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };

/** The daemon's side of a session's worker. */
export class WorkerThread {
  readonly #task: WorkerTask;
  readonly #events: WorkerEvents;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #early: ToWorker[] = [];
  readonly #exited: Promise<void>;
  #listened: ReadonlySet<EventName> | undefined;
  #startTimer: NodeJS.Timeout | undefined;
  #pongTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #ending = false;
  #over = false;
  #exiting: string | undefined;
  /** Whose code has the thread: readable also while it does not answer. */
  #running: Int32Array | undefined;
  readonly #slots = new Map<number, string>();

  constructor(task: WorkerTask, events: WorkerEvents) {
    this.#task = task;
    this.#events = events;
    this.#worker = new Worker(join(packageRoot(), "dist/bin/session-worker.js"), {
      workerData: task,
      stdout: true,
      stderr: true,
      resourceLimits: LIMITS,
      // A copy: what an extension changes there stays with its session.
      env: { ...process.env },
    });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.on("message", (message: FromWorker) => this.#heard(message));
    this.#worker.on("error", (thrown) => {
      const ours =
        this.#listened === undefined && systemCode(thrown) !== "ERR_WORKER_OUT_OF_MEMORY";
      this.#fail(ours ? "seam" : "ended", messageOf(thrown));
    });
    this.#worker.on("exit", (code) => this.#fail("ended", `it ended with code ${code}`));
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      stream.on("data", (data: Buffer) => events.log("info", data.toString("utf8").trimEnd()));
    }
    const each = 2 * (task.loadDeadlineMs + GRACE_MS);
    this.#startTimer = setTimeout(
      () => this.#fail("stuck", "it did not finish loading"),
      task.sources.length * each + PONG_MS,
    );
  }

  get over(): boolean {
    return this.#over;
  }

  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /** Whether anyone listens for one of these. Before it is known, somebody might. */
  listensFor(names: readonly EventName[]): boolean {
    return names.some((name) => this.#listened?.has(name) ?? true);
  }

  /** Resolves also when there will be no decision: every question has an answer. */
  decide(events: readonly SeamEvent[], settleMs: number): Promise<Decided> {
    const id = ++this.#lastId;
    const message = { do: "decide", id, events: events.map(sendable), settleMs } as const;
    return new Promise((resolve) => {
      if (this.#over) {
        resolve({ failure: this.#failure("ended", "it had ended") });
        return;
      }
      const decisive = events.filter(({ type }) => declarationOf(type).kind !== "observe");
      const deadlines = decisive.map(({ type }) => this.#deadlineOf(type));
      const limitMs = Math.max(settleMs, ...deadlines) + GRACE_MS;
      this.#pending.set(id, { message, limitMs, resolve, timer: undefined });
      this.#post(message);
    });
  }

  observe(events: readonly SeamEvent[]): void {
    if (!this.#over) this.#post({ do: "observe", events: events.map(sendable) });
  }

  /** Tells the extensions that the session is over, and ends. */
  async end(event: SeamEvent): Promise<void> {
    if (this.#over || this.#ending) return;
    this.#ending = true;
    this.#post({ do: "end", event });
    const timer = setTimeout(() => void this.#worker.terminate(), END_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #deadlineOf(name: EventName): number {
    return this.#task.deadlines[name] ?? declarationOf(name).deadlineMs;
  }

  /** Kept until the extensions are loaded. */
  #post(message: ToWorker): void {
    if (this.#listened === undefined) {
      this.#early.push(message);
      return;
    }
    const pending = message.do === "decide" ? this.#pending.get(message.id) : undefined;
    try {
      this.#worker.postMessage(message);
      if (pending) this.#watch(pending);
    } catch (thrown) {
      const failure = this.#failure("ended", messageOf(thrown));
      // Nested too deeply to be handed over: what cannot be looked at does not pass.
      if (pending) this.#decided(pending.message.id, { failure });
      else this.#events.log("warn", `an event could not be handed over: ${failure.detail}`);
    }
  }

  readonly #hear: Hear = {
    running: ({ memory }) => {
      this.#running = new Int32Array(memory);
    },
    slot: ({ slot, path }) => this.#slots.set(slot, path),
    ready: ({ listened }) => this.#ready(listened),
    listened: ({ events }) => {
      this.#listened = new Set(events);
    },
    decided: ({ id, decision }) => this.#decided(id, { decision }),
    pong: () => this.#pong(),
    notice: ({ text }) => this.#events.notice(text),
    message: ({ text, now }) => this.#events.message(text, now),
    log: ({ level, text }) => this.#events.log(level, text),
    exiting: ({ path }) => {
      this.#exiting = path;
    },
  };

  #heard<Say extends FromWorker["say"]>(message: Extract<FromWorker, { say: Say }>): void {
    const hear: Hear[Say] = this.#hear[message.say as Say];
    hear(message);
  }

  #pong(): void {
    clearTimeout(this.#pongTimer);
    this.#pongTimer = undefined;
    for (const pending of this.#pending.values()) {
      if (pending.timer === undefined) this.#watch(pending);
    }
  }

  #ready(listened: readonly EventName[]): void {
    clearTimeout(this.#startTimer);
    this.#listened = new Set(listened);
    for (const message of this.#early.splice(0)) this.#post(message);
  }

  #decided(id: number, decided: Decided): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    pending.resolve(decided);
  }

  /** Handlers keep their own deadlines; this is for a thread that does not come round to that. */
  #watch(pending: Pending): void {
    pending.timer = setTimeout(() => {
      pending.timer = undefined;
      if (this.#pongTimer) return;
      this.#worker.postMessage({ do: "ping" } satisfies ToWorker);
      this.#pongTimer = setTimeout(() => {
        this.#fail("stuck", `it did not yield for ${pending.limitMs} ms`);
      }, PONG_MS);
    }, pending.limitMs);
  }

  #fail(kind: WorkerFailure["kind"], detail: string): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#startTimer);
    clearTimeout(this.#pongTimer);
    const failure = this.#failure(kind, detail);
    void this.#worker.terminate();
    for (const id of [...this.#pending.keys()]) this.#decided(id, { failure });
    if (!this.#ending) this.#events.failed(failure);
  }

  #failure(kind: WorkerFailure["kind"], detail: string): WorkerFailure {
    const culprit = this.#exiting ?? this.#slots.get(this.#running?.[0] ?? 0);
    const all = this.#task.sources.map(({ path }) => path);
    return { kind, detail, suspects: culprit === undefined ? all : [culprit] };
  }
}

/** A signal cannot be sent to another thread; the worker makes its own. */
function sendable(event: SeamEvent): SeamEvent {
  if (!("signal" in event)) return event;
  const { signal: _, ...rest } = event;
  return rest as SeamEvent;
}
