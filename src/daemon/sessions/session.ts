import {
  type Agent,
  CallIds,
  type HookRow,
  type HookSupport,
  type Reading,
} from "../../agents/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { EventMap, SeamEvent } from "../../events/index.ts";
import type { Protect } from "../../protection/index.ts";
import { spareDescriptor } from "../descriptors.ts";
import { dialogQuestion } from "../inbox/dialog-question.ts";
import type { HookMoment } from "../inbox/hook-moment.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { answerIn, type NoticeLevel } from "../inbox/question.ts";
import { NOBODY } from "../inbox/unanswered.ts";
import type { Log, LogLevel } from "../log.ts";
import type { AskedDialog, CallEnd, Offers, SeatMessage, WantedCall } from "../worker/protocol.ts";
import type { AskCaller, CallOptions } from "../worker/running-calls.ts";
import type { Decided, SessionWorker, WorkerFailure } from "../worker/session-worker.ts";
import type { Threads } from "../worker/threads.ts";
import { canBeTold, honouredEvents } from "./honoured-events.ts";
import type { ExtensionFinder, ProjectExtensions } from "./project-extensions.ts";
import { threadGroupOf } from "./thread-group.ts";

type Shown = Extract<SeatMessage, { say: "show" }>;

export interface Surroundings {
  readonly finder: ExtensionFinder;
  readonly threads: Threads;
  readonly log: Log;
  readonly cacheDir: string;
  /** Seam's own folder. */
  readonly home: string;
  readonly inbox: Inbox;
  /** A session is heard of for the first time, or again after long. */
  readonly onNew: (session: Session) => void;
  /** What extensions show beside a session. */
  readonly onShown: (session: Session, shown: Shown) => void;
  /** What the handlers of a session's extensions did. */
  readonly onUse: (use: Extract<SeatMessage, { say: "use" }>["use"]) => void;
  /** Somewhere extensions were found, or changed. */
  readonly onFound: (project: ProjectExtensions) => void;
  /** Whether an extension for this folder must not be missing, as it was last known. */
  readonly closes: (cwd: string) => boolean;
}

/** A call of an extension's tool that a hook asked about and nobody stopped. */
export interface ExpectedCall {
  readonly tool: string;
  /** As the call comes over MCP if nobody changed it, or as a handler changed it. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly until: number;
}

type StartReason = NonNullable<EventMap["session_start"]["reason"]>;

/** What an extension wants to say and no hook could take along yet. */
const MOST_UNSAID = 50;

/** Events at which it is worth to look whether extensions changed: nobody is in a hurry. */
const LOOK_AT: ReadonlySet<string> = new Set(["session_start", "input", "before_agent_start"]);

/** What a session needs to know of whose it is. */
export interface SessionOwner extends Pick<Agent, "name" | "type" | "transcript"> {
  readonly hooks: Pick<HookSupport, "mapping" | "inside">;
}

const NO_OFFERS: Offers = { tools: [], commands: [] };
/** How long whoever asks for tools waits for extensions that are being loaded. */
const OFFERS_MS = 10_000;

/** One conversation of one agent, with the worker its extensions run in. */
export class Session {
  readonly agent: SessionOwner;
  readonly hooks: SessionOwner["hooks"];
  readonly id: string;
  readonly cwd: string;
  /** For the model, in order. */
  readonly messages: { text: string; now: boolean }[] = [];
  /** For the user. */
  readonly notices: string[] = [];
  readonly callIds = new CallIds();
  /** Calls that were stopped, by their ids; the latest ones. */
  readonly stoppedCalls = new Set<string>();
  /** Calls of extensions' tools that a hook told of and let pass, and that did not arrive yet. */
  readonly expectedCalls: ExpectedCall[] = [];
  /** The agent's process, as far as its hooks tell. */
  pid: number | undefined;
  /** Who wants to know that others can call something else from now on. */
  readonly onOffers = new Set<() => void>();
  readonly #surroundings: Surroundings;
  #project: ProjectExtensions | undefined;
  #file: string | undefined;
  #worker: SessionWorker | undefined;
  /** What the user was told about extensions and settings: once is enough. */
  readonly #told = new Set<string>();
  /** The session has had a worker before. */
  #began = false;
  #lastHook: string | undefined;
  /** Why its extensions do not run, though there are some. */
  #down: WorkerFailure | undefined;
  /** Its extensions froze or ended a thread: nobody is put beside them until they change. */
  #misbehaved: string | undefined;
  #offers: Offers | undefined;
  usedAt = Date.now();

  constructor(agent: SessionOwner, reading: Reading, cwd: string, surroundings: Surroundings) {
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

  /** Whether a hook only repeats the one just before it. */
  repeats(hook: string, { repeats }: HookRow): boolean {
    const again = repeats === true && hook === this.#lastHook;
    this.#lastHook = hook;
    return again;
  }

  /** Why its extensions do not run, for people; undefined if they do, or if there are none. */
  get trouble(): string | undefined {
    return this.#down && new SeamError("SEAM_EXT_NOT_RUN", { detail: this.#down.detail }).message;
  }

  /** Makes sure that the right extensions are loaded before these events reach them. */
  prepare(
    events: readonly SeamEvent[],
    reading: Reading,
    anew = events.some(({ type }) => LOOK_AT.has(type)),
  ): void {
    this.#file = reading.transcriptPath ?? this.#file;
    try {
      const before = this.#project;
      const project = this.#look(anew);
      this.#project = project;
      if (project !== before) {
        this.#surroundings.onFound(project);
        for (const notice of project.notices) this.#tell(notice);
      }
      if (before && project.print !== before.print) this.#retire("reload");
      if (project.sources.length === 0) this.#down = undefined;
      if (this.hasWorker || project.sources.length === 0) return;
      this.#worker = this.#start(project);
    } catch (thrown) {
      const suspects = this.#project?.sources.map(({ path }) => path) ?? [];
      const failure = { kind: "seam", suspects, detail: messageOf(thrown) } as const;
      if (!this.hasWorker) this.#failed(failure);
      return;
    }
    const startsNow = events.some(({ type }) => type === "session_start");
    if (!startsNow) this.#worker.observe([this.#sessionStart(this.#began ? "reload" : "resume")]);
    this.#began = true;
  }

  /** What could not be read because nothing can be opened must not look like what is not there. */
  #look(anew: boolean): ProjectExtensions {
    const { finder } = this.#surroundings;
    if (this.#project && !anew) return finder.known(this.cwd);
    spareDescriptor();
    return finder.look(this.cwd);
  }

  /** Whether anyone has to be asked. Those that must not be missing are missed here. */
  listensFor(events: readonly SeamEvent[]): boolean {
    if (!this.hasWorker) return this.#down !== undefined && this.critical;
    return this.#worker?.listensFor(events.map(({ type }) => type)) === true;
  }

  async decide(
    events: readonly SeamEvent[],
    settleMs: number,
    moment?: HookMoment,
  ): Promise<Decided | undefined> {
    if (!this.hasWorker && this.#down) return { failure: this.#down };
    return this.#worker?.decide(events, settleMs, moment);
  }

  observe(events: readonly SeamEvent[]): void {
    this.#worker?.observe(events);
  }

  /** Loads its extensions if they are not loaded. `anew`: looks whether they have changed. */
  wake(anew: boolean): void {
    this.usedAt = Date.now();
    this.prepare([], { sessionId: this.id }, anew);
  }

  /** What its extensions let others call, once they are loaded. */
  async offers(): Promise<Offers> {
    this.wake(true);
    if (!this.hasWorker) return NO_OFFERS;
    this.#worker?.offer();
    if (this.#offers) return this.#offers;
    await new Promise<void>((resolve) => {
      const told = () => {
        clearTimeout(timer);
        this.onOffers.delete(told);
        resolve();
      };
      const timer = setTimeout(told, OFFERS_MS);
      this.onOffers.add(told);
    });
    return this.#offers ?? NO_OFFERS;
  }

  async call(wanted: WantedCall, options: CallOptions): Promise<CallEnd> {
    this.wake(false);
    const end = await this.#worker?.call(wanted, options);
    if (end) return end;
    const text = this.trouble ?? "There are no extensions here.";
    return { content: [{ type: "text", text }], isError: true };
  }

  /** What of this session's extensions must not be missing. */
  get critical(): boolean {
    return this.#project?.critical ?? this.#surroundings.closes(this.cwd);
  }

  /** Whether an extension is one of its own. */
  hasExtension(path: string): boolean {
    return this.#project?.sources.some((source) => source.path === path) === true;
  }

  /** What becomes of calls that would change what Seam relies on. */
  get protect(): Protect {
    return this.#project?.settings.protectSeam ?? "ask";
  }

  /** For the user, as soon as a hook can take it along. */
  notice(text: string): void {
    keep(this.notices, text);
  }

  async end(event?: SeamEvent): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#offers = undefined;
    if (event) this.#began = false;
    await worker?.end(event ?? { type: "session_shutdown", reason: "quit", ...this.#ids() });
  }

  #retire(reason: "reload"): void {
    this.#offers = undefined;
    void this.#worker?.end({ type: "session_shutdown", reason, ...this.#ids() });
    this.#worker = undefined;
  }

  #start(project: ProjectExtensions): SessionWorker {
    const { log, cacheDir, home, threads, inbox } = this.#surroundings;
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
      home,
      loadDeadlineMs: settings.loadDeadlineMs,
      deadlines: settings.deadlines,
      honoured: honouredEvents(mapping),
      listens: canBeTold(mapping),
      projectTrusted: trusted,
    };
    for (const problem of project.problems) log.warn(problem);
    const hearer = {
      log: (level: LogLevel, text: string) =>
        log.write(level, `${this.agent.name} ${this.id}: ${text}`),
      notice: (
        text: string,
        { once = false, level = "info" }: { readonly once?: boolean; readonly level?: NoticeLevel },
      ) => {
        if (once) this.#tell(text);
        else keep(this.notices, text);
        inbox.publish({ type: "notice", ...this.#ref(), text, level });
      },
      question: async (
        dialog: AskedDialog,
        moment: HookMoment | undefined,
        signal: AbortSignal,
        askCaller: AskCaller | undefined,
      ) => {
        if (askCaller && !inbox.isAttended) return askCaller(dialog, signal);
        const by = sources.find(({ path }) => path === dialog.from)?.name;
        const about = { ...this.#ref(), cwd: this.cwd, by: by ?? "an extension" };
        const settled = await inbox.ask({ ...dialogQuestion(dialog, about, moment), signal });
        // All who could have answered have left meanwhile.
        const isLeft = "cancelled" in settled && settled.why === NOBODY;
        if (askCaller && isLeft) return askCaller(dialog, signal);
        return moment ? moment.heard(settled, about.by) : answerIn(settled);
      },
      use: this.#surroundings.onUse,
      show: (shown: Shown) => this.#surroundings.onShown(this, shown),
      message: (text: string, now: boolean) => keep(this.messages, { text, now }),
      ready: () => this.#runs(),
      offered: (offers: Offers) => this.#offered(offers),
      failed: (failure: WorkerFailure) => {
        const { kind, detail, onlyHere } = failure;
        if (kind === "seam") threads.failed(detail, onlyHere ? this.cwd : undefined);
        this.#failed(failure);
      },
      moves: () => ({
        leaves: { type: "session_shutdown", reason: "reload", ...this.#ids() } as const,
        begins: this.#sessionStart("reload"),
      }),
    };
    const isAlone = this.#misbehaved === project.print;
    return threads.start(task, hearer, isAlone ? { key: undefined } : threadGroupOf(project));
  }

  #offered(offers: Offers | undefined): void {
    this.#offers = offers;
    for (const told of [...this.onOffers]) told();
  }

  #runs(): void {
    this.#surroundings.threads.worked(this.cwd);
    if (this.#down) keep(this.notices, "Seam: the extensions of this session run again.");
    this.#down = undefined;
  }

  #tell(notice: string): void {
    if (this.#told.has(notice)) return;
    this.#told.add(notice);
    keep(this.notices, notice);
  }

  #failed(failure: WorkerFailure): void {
    const { kind, suspects, detail } = failure;
    const { finder, log } = this.#surroundings;
    if (kind === "seam") {
      const isNew = this.#down?.detail !== detail;
      this.#down = failure;
      if (!isNew) return;
      log.write("error", `the extensions of ${this.agent.name} ${this.id} cannot run: ${detail}`);
      keep(this.notices, new SeamError("SEAM_EXT_NOT_RUN", { detail }).message);
      return;
    }
    log.warn(`the worker of ${this.agent.name} ${this.id} ${kind}: ${detail}`);
    this.#misbehaved = this.#project?.print;
    const [culprit] = suspects;
    if (culprit === undefined || suspects.length > 1) return;
    if (finder.strike(culprit, detail)) log.warn(`${culprit} is left out until it changes`);
  }

  #sessionStart(reason: StartReason): SeamEvent {
    return { type: "session_start", reason, ...this.#ids() };
  }

  #ids() {
    return { sessionId: this.id, agent: this.agent.name };
  }

  #ref() {
    return { agent: this.agent.name, session: this.id };
  }
}

function keep<T>(list: T[], item: T): void {
  if (list.length < MOST_UNSAID) list.push(item);
}
