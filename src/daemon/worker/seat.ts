import { type Decision, decide } from "../../dispatch/index.ts";
import { SeamError, systemCode } from "../../errors/index.ts";
import { EVENT_NAMES, type EventName, type SeamEvent } from "../../events/index.ts";
import {
  describeProblem,
  type ExtensionProblem,
  type ExtensionSet,
  type InlineExtension,
  loadExtensions,
  prove,
  type WholeModules,
} from "../../extensions/index.ts";
import { foreignHost } from "./foreign-host.ts";
import { ForeignUI } from "./foreign-ui.ts";
import type { LeftOut, SeatMessage, WantedCall, WorkerTask } from "./protocol.ts";
import { SeatCalls } from "./seat-calls.ts";
import { UseSince } from "./use-since.ts";

/** The system had none left for a moment; the extension is fine. */
const SHORTAGES: ReadonlySet<string | undefined> = new Set([
  "EMFILE",
  "ENFILE",
  "EAGAIN",
  "ENOMEM",
  "ERR_WORKER_INIT_FAILED",
]);

const host = () => import("../../host/index.ts");
/** Pi's modules, from a room that is loaded with the first extension that needs it. */
const PI_MODULES: WholeModules = Object.assign(
  async (given: Parameters<WholeModules>[0]) => (await host()).piModules(given),
  { zod: async () => (await host()).piModules.zod() },
);

/** The extensions of one session, inside the thread. */
export class Seat {
  readonly #set: ExtensionSet;
  readonly #state: { idle: boolean };
  readonly #use = new UseSince();
  #isUsed = false;
  readonly #send: (said: SeatMessage) => void;
  readonly #calls: SeatCalls;
  readonly #ui: ForeignUI;
  #known: readonly EventName[];

  private constructor(
    set: ExtensionSet,
    state: { idle: boolean },
    calls: SeatCalls,
    ui: ForeignUI,
    send: (said: SeatMessage) => void,
  ) {
    this.#set = set;
    this.#calls = calls;
    this.#state = state;
    this.#ui = ui;
    this.#send = send;
    this.#known = this.#listened();
    send({ say: "ready", listened: this.#known });
  }

  /** Loads them. Throws if that did not work and no extension is to blame. */
  static async open(task: WorkerTask, send: (said: SeatMessage) => void): Promise<Seat> {
    const { cwd, cacheDir, loadDeadlineMs, deadlines } = task;
    const leftOut = new Map(task.leftOut.map((one) => [one.source.path, one]));
    const wanted = task.sources.filter(({ path }) => !leftOut.has(path));
    const proven = await prove(wanted, { cwd, cacheDir, loadDeadlineMs });
    const set = await loadExtensions({
      cwd,
      sources: [...task.leftOut.map(standIn), ...proven],
      cacheDir,
      loadDeadlineMs,
      deadlines,
      modules: PI_MODULES,
    });
    for (const { problem } of set.failures) {
      const cause = rootOf(problem.error);
      if (SHORTAGES.has(systemCode(cause))) throw cause;
    }
    const complain = (problem: ExtensionProblem) =>
      send({ say: "log", level: "warn", text: describeProblem(problem, cwd) });
    const state = { idle: false };
    const calls = new SeatCalls(set, task, send);
    const ui = new ForeignUI(
      (said) => calls.hear(said),
      () => calls.current,
    );
    calls.asker = ({ toolName, reason }) => ui.approve(`May ${toolName} run?`, reason);
    const host = foreignHost(calls.task, state, {
      send: (said) => calls.hear(said),
      ui,
      log: (level, text) => {
        // Problems are told in full, once.
        if (set.problems.at(-1)?.error.message !== text) send({ say: "log", level, text });
      },
    });
    for (const problem of set.problems) complain(problem);
    for (const { problem } of set.failures) {
      // Of a damaged copy the user is told before anything is loaded.
      if (problem.error.code === "SEAM_TRUST_COPY") continue;
      send({ say: "notice", text: describeProblem(problem, cwd), once: true });
    }
    set.onProblem(complain);
    set.bind(host);
    return new Seat(set, state, calls, ui, send);
  }

  /** What its handlers did since this was told last. */
  tellUse(): void {
    if (!this.#isUsed) return;
    this.#isUsed = false;
    const use = this.#use.since(this.#set.dispatcher.report());
    if (use.length > 0) this.#send({ say: "use", use });
  }

  async decide(events: readonly SeamEvent[], settleMs = 0): Promise<Decision> {
    const { dispatcher } = this.#set;
    this.#isUsed = true;
    const decision = await decide(
      dispatcher,
      events.map((event) => this.#revive(event)),
    );
    if (settleMs > 0) await dispatcher.settled(settleMs);
    return decision;
  }

  offer(): void {
    this.#calls.offer();
  }

  call(id: number, wanted: WantedCall): Promise<void> {
    return this.#calls.call(id, wanted);
  }

  abandon(id: number): void {
    this.#calls.abandon(id);
  }

  /** What a person said to a dialog. */
  answer(id: number, value: string | undefined): void {
    this.#ui.answer(id, value);
  }

  async end(event: SeamEvent): Promise<void> {
    const { dispatcher } = this.#set;
    this.#calls.abandonAll();
    dispatcher.emit(event);
    await dispatcher.settled(2_000);
    this.#isUsed = true;
    this.tellUse();
    this.#set.dispose();
  }

  tellChanges(): void {
    this.#calls.tellChanges();
    const now = this.#listened();
    const known = this.#known;
    if (now.length === known.length && now.every((name, index) => name === known[index])) return;
    this.#known = now;
    this.#send({ say: "listened", events: now });
  }

  #listened(): EventName[] {
    return EVENT_NAMES.filter((name) => this.#set.dispatcher.has(name));
  }

  /** What cannot be sent between threads is made here. */
  #revive(event: SeamEvent): SeamEvent {
    this.#state.idle = event.type === "agent_end" || event.type === "agent_settled";
    return event.type === "session_before_compact"
      ? { ...event, signal: new AbortController().signal }
      : event;
  }
}

/**
 * Stands in for an extension that cannot run: it is reported, and tool calls are blocked if it is
 * critical.
 */
function standIn({ source, critical, why }: LeftOut): InlineExtension {
  return {
    name: source.name,
    critical,
    factory: () => {
      throw new SeamError("SEAM_EXT_LEFT_OUT", { path: source.path, detail: why });
    },
  };
}

function rootOf(error: Error): unknown {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
