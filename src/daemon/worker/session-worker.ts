import type { Decision } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import { declarationOf, type EventName, type SeamEvent } from "../../events/index.ts";
import type { HookMoment } from "../inbox/hook-moment.ts";
import type { NoticeLevel } from "../inbox/question.ts";
import type { LogLevel } from "../log.ts";
import type {
  AskedDialog,
  CallEnd,
  Offers,
  SeatMessage,
  ToThread,
  WantedCall,
  WorkerTask,
} from "./protocol.ts";
import { type AskCaller, brokenOff, type CallOptions, RunningCalls } from "./running-calls.ts";
import type { Sitter, Thread, ThreadEnd } from "./thread.ts";

/** Why there is no decision. */
export interface WorkerFailure {
  /** seam: before any extension could do anything. */
  readonly kind: ThreadEnd["kind"];
  /** The extensions that may have caused it; one, if it is known. */
  readonly suspects: readonly string[];
  readonly detail: string;
  /** There is a thread, so others can be loaded. */
  readonly onlyHere?: boolean;
}

export type Decided = { readonly decision: Decision } | { readonly failure: WorkerFailure };

export interface WorkerEvents {
  log(level: LogLevel, text: string): void;
  /** For the user. */
  notice(text: string, options: { readonly once?: boolean; readonly level?: NoticeLevel }): void;
  /** A person is asked. `moment`: the hook it is about. Undefined: nobody answered. */
  question(
    dialog: AskedDialog,
    moment: HookMoment | undefined,
    signal: AbortSignal,
    /** Where a tool asks: whoever called it can put the question to a person, too. */
    askCaller: AskCaller | undefined,
  ): Promise<string | undefined>;
  show(shown: Extract<SeatMessage, { say: "show" }>): void;
  /** For the model. */
  message(text: string, now: boolean): void;
  /** What its handlers did since it was told last. */
  use(use: Extract<SeatMessage, { say: "use" }>["use"]): void;
  /** Its extensions are loaded. */
  ready(): void;
  /** What its extensions let others call. Told once somebody asked for it. */
  offered(offers: Offers): void;
  /** It ended and was not asked to. */
  failed(failure: WorkerFailure): void;
  /** What extensions are told when they are loaded once more in another thread: the old and the new. */
  moves(): { readonly leaves: SeamEvent; readonly begins: SeamEvent };
}

/** Finds a thread for a session. Throws if there is none. */
export type FindThread = (wish: { alone: boolean; not?: Thread }) => Thread;

type Hear = {
  readonly [Say in SeatMessage["say"]]: (message: Extract<SeatMessage, { say: Say }>) => void;
};

interface Pending {
  readonly events: readonly SeamEvent[];
  readonly moment: HookMoment | undefined;
  readonly settleMs: number;
  readonly limitMs: number;
  readonly resolve: (decided: Decided) => void;
  timer: NodeJS.Timeout | undefined;
  /** It was under way in a thread that ended for somebody else's sake. */
  isSecond: boolean;
}

/** Beyond the deadline that handlers have: for one that cannot be told that its time is up. */
const GRACE_MS = 1_000;
const END_MS = 3_000;

/** The extensions of one session, in whichever thread they are. */
export class SessionWorker implements Sitter {
  readonly #task: WorkerTask;
  readonly #events: WorkerEvents;
  readonly #place: FindThread;
  readonly #pending = new Map<number, Pending>();
  readonly #calls = new RunningCalls();
  readonly #early: (() => void)[] = [];
  #isOffering = false;
  /** Dialogs that wait for a person, by their numbers in the thread. */
  readonly #dialogs = new Map<number, { abort: AbortController; moment?: HookMoment }>();
  #thread: Thread;
  #seat: number;
  #isReady = false;
  /** The last that is known of it, also while it moves. */
  #listened: ReadonlySet<EventName> | undefined;
  #startTimer: NodeJS.Timeout | undefined;
  #tellEnded: (() => void) | undefined;
  #over = false;

  constructor(task: WorkerTask, events: WorkerEvents, place: FindThread, alone: boolean) {
    this.#task = task;
    this.#events = events;
    this.#place = place;
    this.#thread = place({ alone });
    this.#seat = this.#sitDown();
  }

  get over(): boolean {
    return this.#over;
  }

  get busy(): boolean {
    return this.#pending.size > 0 || this.#calls.size > 0;
  }

  /** Whether anyone listens for one of these. Before it is known, somebody might. */
  listensFor(names: readonly EventName[]): boolean {
    return names.some((name) => this.#listened?.has(name) ?? true);
  }

  /** Resolves also when there will be no decision: every question has an answer. */
  decide(events: readonly SeamEvent[], settleMs: number, moment?: HookMoment): Promise<Decided> {
    return new Promise((resolve) => {
      if (this.#over) {
        const end = { kind: "ended", detail: "it had ended", culprit: undefined } as const;
        resolve({ failure: this.#failure(end) });
        return;
      }
      const decisive = events.filter(({ type }) => declarationOf(type).kind !== "observe");
      const deadlines = decisive.map(({ type }) => this.#deadlineOf(type));
      const limitMs = Math.max(settleMs, ...deadlines) + GRACE_MS;
      const sent = events.map(sendable);
      const common = { timer: undefined, isSecond: false, moment };
      this.#ask({ events: sent, settleMs, limitMs, resolve, ...common });
    });
  }

  observe(events: readonly SeamEvent[]): void {
    if (this.#over) return;
    const sent = events.map(sendable);
    this.#whenReady(() => {
      try {
        this.#post({ do: "observe", seat: this.#seat, events: sent });
      } catch (thrown) {
        const text = `an event could not be handed over: ${messageOf(thrown)}`;
        this.#events.log("warn", text);
      }
    });
  }

  /** From now on it is told what its extensions let others call. */
  offer(): void {
    if (this.#isOffering || this.#over) return;
    this.#isOffering = true;
    this.#whenReady(() => this.#post({ do: "offer", seat: this.#seat }));
  }

  /** Runs a tool or a command. Resolves also when nothing comes of it; never runs it twice. */
  call(wanted: WantedCall, options: CallOptions): Promise<CallEnd> {
    const { signal } = options;
    if (this.#over || signal.aborted) return Promise.resolve(brokenOff("nobody runs it"));
    const id = this.#thread.nextId();
    const end = this.#calls.add(id, options);
    this.#whenReady(() => {
      try {
        this.#post({ do: "call", seat: this.#seat, id, call: wanted });
        this.#calls.watch(id, () => this.#thread.probe("a tool did not let go of it"));
      } catch (thrown) {
        this.#calls.ended(id, brokenOff(messageOf(thrown)));
      }
    });
    const abandon = () => this.#post({ do: "abandon", seat: this.#seat, id });
    signal.addEventListener("abort", abandon, { once: true });
    return end.finally(() => signal.removeEventListener("abort", abandon));
  }

  /** Tells the extensions that the session is over, and lets go of them. */
  async end(event: SeamEvent): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#startTimer);
    this.#closeDialogs(() => true);
    const [thread, seat] = [this.#thread, this.#seat];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, END_MS);
      this.#tellEnded = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#whenReady(() => thread.post({ do: "end", seat, event }));
    });
    const failure = this.#failure({ kind: "ended", detail: "it had ended", culprit: undefined });
    this.#answerAll({ failure });
    this.#calls.breakOff("its session has ended");
    await thread.remove(seat);
  }

  heard<Say extends SeatMessage["say"]>(said: Extract<SeatMessage, { say: Say }>): void {
    const hear: Hear[Say] = this.#hear[said.say as Say];
    hear(said);
  }

  ended(end: ThreadEnd): void {
    this.#tellEnded?.();
    this.#fail(end);
  }

  lost(end: ThreadEnd, unclear: boolean): void {
    this.#tellEnded?.();
    if (this.#over) return;
    this.#calls.breakOff(`its thread ended: ${end.detail}`);
    for (const pending of [...this.#pending.values()]) {
      // Not a third time: an agent does not wait for ever.
      if (pending.isSecond) this.#fail(end);
      pending.isSecond = true;
    }
    if (!this.#over) this.#sitElsewhere(unclear, end);
  }

  moveAway(begun: number): void {
    if (this.#over || this.#calls.size > 0) return;
    if ([...this.#pending.keys()].some((id) => id <= begun)) return;
    const [thread, seat] = [this.#thread, this.#seat];
    thread.post({ do: "end", seat, event: this.#events.moves().leaves });
    void thread.remove(seat);
    this.#events.log("info", "it moves to another thread: its own is kept busy by another session");
    this.#sitElsewhere(false, { kind: "stuck", detail: "its thread is busy", culprit: undefined });
  }

  #sitElsewhere(alone: boolean, end: ThreadEnd): void {
    // What a hook waits for is asked again there, and finds its question.
    this.#closeDialogs(({ moment }) => moment === undefined);
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    this.#early.length = 0;
    this.#isReady = false;
    clearTimeout(this.#startTimer);
    for (const { timer } of waiting) clearTimeout(timer);
    try {
      this.#thread = this.#place({ alone, not: this.#thread });
    } catch (thrown) {
      for (const pending of waiting) this.#pending.set(this.#pending.size, pending);
      this.#fail(end.kind === "seam" ? end : { ...end, kind: "seam", detail: messageOf(thrown) });
      return;
    }
    this.#seat = this.#sitDown();
    this.observe([this.#events.moves().begins]);
    if (this.#isOffering) {
      this.#isOffering = false;
      this.offer();
    }
    for (const pending of waiting) this.#ask(pending);
  }

  #sitDown(): number {
    const seat = this.#thread.add(this);
    this.#thread.post({ do: "open", seat, task: this.#task });
    const each = 2 * (this.#task.loadDeadlineMs + GRACE_MS);
    const limitMs = (this.#task.sources.length + 1) * each;
    const watch = () => {
      this.#thread.probe("it did not finish loading");
      this.#startTimer = setTimeout(watch, limitMs);
    };
    this.#startTimer = setTimeout(watch, limitMs);
    return seat;
  }

  #deadlineOf(name: EventName): number {
    return this.#task.deadlines[name] ?? declarationOf(name).deadlineMs;
  }

  #ask(pending: Pending): void {
    const id = this.#thread.nextId();
    const { events, settleMs } = pending;
    this.#pending.set(id, pending);
    this.#whenReady(() => {
      try {
        this.#post({ do: "decide", seat: this.#seat, id, events, settleMs });
        this.#watch(pending);
      } catch (thrown) {
        // Nested too deeply to be handed over: what cannot be looked at does not pass.
        const end = { kind: "ended", detail: messageOf(thrown), culprit: undefined } as const;
        this.#decided(id, { failure: this.#failure(end) });
      }
    });
  }

  #post(message: ToThread): void {
    this.#thread.post(message);
  }

  /** What comes before the extensions are loaded is kept until they are. */
  #whenReady(act: () => void): void {
    if (this.#isReady) act();
    else this.#early.push(act);
  }

  readonly #hear: Hear = {
    ready: ({ listened }) => {
      clearTimeout(this.#startTimer);
      this.#listened = new Set(listened);
      this.#isReady = true;
      if (!this.#over) this.#events.ready();
      for (const act of this.#early.splice(0)) act();
    },
    failed: ({ detail }) => {
      void this.#thread.remove(this.#seat);
      this.#tellEnded?.();
      this.#fail({ kind: "seam", detail, culprit: undefined }, true);
    },
    listened: ({ events }) => {
      this.#listened = new Set(events);
    },
    offers: ({ offers }) => this.#events.offered(offers),
    progress: ({ id, text }) => this.#calls.progress(id, text),
    called: ({ id, end }) => this.#calls.ended(id, end),
    decided: ({ id, decision }) => this.#decided(id, { decision }),
    notice: ({ text, once = false, level }) =>
      this.#events.notice(text, { once, ...(level && { level }) }),
    question: (dialog) => this.#askPerson(dialog),
    unasked: ({ id }) => {
      this.#dialogs.get(id)?.abort.abort();
    },
    show: (shown) => this.#events.show(shown),
    message: ({ text, now }) => this.#events.message(text, now),
    log: ({ level, text }) => this.#events.log(level, text),
    use: ({ use }) => this.#events.use(use),
    ended: () => this.#tellEnded?.(),
  };

  #askPerson(dialog: AskedDialog): void {
    const [thread, seat, { id }] = [this.#thread, this.#seat, dialog];
    const moment = this.#pending.get(dialog.during ?? 0)?.moment;
    const abort = new AbortController();
    this.#dialogs.set(id, { abort, ...(moment && { moment }) });
    const asker = this.#calls.askerOf(dialog.call);
    void this.#events.question(dialog, moment, abort.signal, asker).then((value) => {
      this.#dialogs.delete(id);
      thread.post({ do: "answer", seat, id, ...(value !== undefined && { value }) });
    });
  }

  #closeDialogs(which: (dialog: { moment?: HookMoment }) => boolean): void {
    for (const dialog of this.#dialogs.values()) if (which(dialog)) dialog.abort.abort();
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
      this.#thread.probe(`it did not yield for ${pending.limitMs} ms`);
      this.#watch(pending);
    }, pending.limitMs);
  }

  #fail(end: ThreadEnd, onlyHere = false): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#startTimer);
    this.#closeDialogs(() => true);
    const failure = { ...this.#failure(end), onlyHere };
    this.#answerAll({ failure });
    this.#calls.breakOff(end.detail);
    this.#events.failed(failure);
  }

  #answerAll(decided: Decided): void {
    for (const id of [...this.#pending.keys()]) this.#decided(id, decided);
  }

  #failure({ kind, detail, culprit }: ThreadEnd): WorkerFailure {
    const all = this.#task.sources.map(({ path }) => path);
    return { kind, detail, suspects: culprit === undefined ? all : [culprit] };
  }
}

/** A signal cannot be sent to another thread; the thread makes its own. */
function sendable(event: SeamEvent): SeamEvent {
  if (!("signal" in event)) return event;
  const { signal: _, ...rest } = event;
  return rest as SeamEvent;
}
