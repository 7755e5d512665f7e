import {
  type AnyAgent,
  CallIds,
  type HookRow,
  type HookSupport,
  type Reading,
} from "../../agents/index.ts";
import type { EventMap, SeamEvent } from "../../events/index.ts";
import type { Protect } from "../../protection/index.ts";
import { canBeTold, honouredEvents } from "../hooks/honoured.ts";
import type { Log } from "../log.ts";
import { type Decided, type WorkerFailure, WorkerThread } from "../worker/worker-thread.ts";
import type { ExtensionFinder, ProjectExtensions } from "./project-extensions.ts";

export interface Surroundings {
  readonly finder: ExtensionFinder;
  readonly log: Log;
  readonly cacheDir: string;
  /** Somewhere extensions were found, or changed. */
  readonly onFound: (project: ProjectExtensions) => void;
}

type StartReason = NonNullable<EventMap["session_start"]["reason"]>;

/** What an extension wants to say and no hook could take along yet. */
const MOST_UNSAID = 50;

const REST_MS = 60_000;

/** Events at which it is worth to look whether extensions changed: nobody is in a hurry. */
const LOOK_AT: ReadonlySet<string> = new Set(["session_start", "input", "before_agent_start"]);

/** One conversation of one agent, with the worker its extensions run in. */
export class Session {
  readonly agent: AnyAgent;
  readonly hooks: HookSupport;
  readonly id: string;
  readonly cwd: string;
  /** For the model, in order. */
  readonly messages: { text: string; now: boolean }[] = [];
  /** For the user. */
  readonly notices: string[] = [];
  readonly callIds = new CallIds();
  readonly #surroundings: Surroundings;
  #project: ProjectExtensions | undefined;
  #file: string | undefined;
  #worker: WorkerThread | undefined;
  /** There was a worker before. */
  #began = false;
  #lastHook: string | undefined;
  /** No worker is tried before: the last one failed, and no extension was to blame. */
  #restUntil = 0;
  usedAt = Date.now();

  constructor(
    agent: AnyAgent & { hooks: HookSupport },
    reading: Reading,
    cwd: string,
    surroundings: Surroundings,
  ) {
    this.agent = agent;
    this.hooks = agent.hooks;
    this.id = reading.sessionId;
    this.cwd = cwd;
    this.#file = reading.transcriptPath;
    this.#surroundings = surroundings;
  }

  get hasWorker(): boolean {
    return this.#worker !== undefined && !this.#worker.over;
  }

  get busy(): boolean {
    return this.#worker?.busy ?? false;
  }

  /** Whether a hook only says again what it said just before. */
  repeats(hook: string, { repeats }: HookRow): boolean {
    const again = repeats === true && hook === this.#lastHook;
    this.#lastHook = hook;
    return again;
  }

  /** Makes sure that the right extensions are loaded before these events reach them. */
  prepare(events: readonly SeamEvent[], reading: Reading): void {
    this.#file = reading.transcriptPath ?? this.#file;
    const { finder } = this.#surroundings;
    const before = this.#project;
    const looks = events.some(({ type }) => LOOK_AT.has(type));
    this.#project = looks || !before ? finder.look(this.cwd) : finder.known(this.cwd);
    if (this.#project !== before) this.#surroundings.onFound(this.#project);
    if (before && this.#project.print !== before.print) this.#retire("reload");
    if (this.hasWorker || this.#project.sources.length === 0) return;
    if (Date.now() < this.#restUntil) return;
    this.#worker = this.#start(this.#project);
    const startsNow = events.some(({ type }) => type === "session_start");
    if (!startsNow) this.#worker.observe([this.#sessionStart(this.#began ? "reload" : "resume")]);
    this.#began = true;
  }

  listensFor(events: readonly SeamEvent[]): boolean {
    return this.hasWorker && this.#worker?.listensFor(events.map(({ type }) => type)) === true;
  }

  async decide(events: readonly SeamEvent[], settleMs: number): Promise<Decided | undefined> {
    return this.#worker?.decide(events, settleMs);
  }

  observe(events: readonly SeamEvent[]): void {
    this.#worker?.observe(events);
  }

  /** What of this session's extensions must not be missing. */
  get critical(): boolean {
    return this.#project?.critical ?? false;
  }

  /** What becomes of calls that would change what Seam relies on. */
  get protect(): Protect {
    return this.#project?.settings.protectSeam ?? "ask";
  }

  async end(event?: SeamEvent): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (event) this.#began = false;
    await worker?.end(event ?? { type: "session_shutdown", reason: "quit", ...this.#ids() });
  }

  #retire(reason: "reload"): void {
    void this.#worker?.end({ type: "session_shutdown", reason, ...this.#ids() });
    this.#worker = undefined;
  }

  #start(project: ProjectExtensions): WorkerThread {
    const { log, cacheDir } = this.#surroundings;
    const { sources, leftOut, settings, trusted } = project;
    const { mapping } = this.hooks;
    const task = {
      agent: this.agent.name,
      sessionId: this.id,
      ...(this.#file !== undefined && { sessionFile: this.#file }),
      cwd: this.cwd,
      sources,
      leftOut,
      cacheDir,
      loadDeadlineMs: settings.loadDeadlineMs,
      deadlines: settings.deadlines,
      honoured: honouredEvents(mapping),
      listens: canBeTold(mapping),
      projectTrusted: trusted,
    };
    for (const problem of project.problems) log.warn(problem);
    return new WorkerThread(task, {
      log: (level, text) => log.write(level, `${this.agent.name} ${this.id}: ${text}`),
      notice: (text) => keep(this.notices, text),
      message: (text, now) => keep(this.messages, { text, now }),
      failed: (failure) => this.#failed(failure),
    });
  }

  #failed({ kind, suspects, detail }: WorkerFailure): void {
    const { finder, log } = this.#surroundings;
    log.warn(`the worker of ${this.agent.name} ${this.id} ${kind}: ${detail}`);
    if (kind === "seam") this.#restUntil = Date.now() + REST_MS;
    const [culprit] = suspects;
    if (culprit === undefined || suspects.length > 1 || kind === "seam") return;
    if (finder.strike(culprit, detail)) log.warn(`${culprit} is left out until it changes`);
  }

  #sessionStart(reason: StartReason): SeamEvent {
    return { type: "session_start", reason, ...this.#ids() };
  }

  #ids() {
    return { sessionId: this.id, agent: this.agent.name };
  }
}

function keep<T>(list: T[], item: T): void {
  if (list.length < MOST_UNSAID) list.push(item);
}
