import {
  type Agent,
  eventsFor,
  type HookAnswer,
  type HookRow,
  NO_ANSWER,
  type Reading,
  type Told,
} from "../../agents/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import { type GitRequest, writeGitRequest } from "../../record/index.ts";
import { type Alarms, deliveryOf } from "../alarms/alarms.ts";
import { expectCalls } from "../calls/expected-calls.ts";
import { type Accepted, type JournalEntry, parseObject } from "../journal/entry.ts";
import type { EntryStore } from "../journal/refused-store.ts";
import type { LiveEvents } from "../live-events.ts";
import type { LiveSessions } from "../presence/live-sessions.ts";
import { hookRecord, type RecordQueue } from "../record-queue.ts";
import type { SessionOwner } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { answerHook, type Deciders, type Understood } from "./answer-hook.ts";
import { callsIn, namesCalls, noteTold, readingOf, withCallIds } from "./call-ids.ts";
import { GIT, type GitHookService } from "./git-hook-service.ts";
import { folderOf, gitRequestOf, type Incoming, laneOf, originOf } from "./incoming.ts";
import { beforeJournal, pairAfter, tellBefore } from "./persist-pair.ts";
import { firedEvents, toLiveEvents } from "./to-live-events.ts";
import type { TurnStarts } from "./turn-starts.ts";
import { type UnaskedWhy, unaskedAnswer, unreadAnswer } from "./unasked-hook.ts";

interface Parts extends Deciders {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly journal: EntryStore;
  readonly queue: RecordQueue;
  readonly sessions: Sessions;
  readonly live: LiveEvents;
  readonly git: GitHookService;
  readonly alarms: Alarms;
  readonly turnStarts: TurnStarts;
  readonly liveSessions: LiveSessions;
  /** Resolves when an agent that does not come with Seam is known, if there is such a one. */
  readonly meet: (agent: string, folder: string) => Promise<void>;
  /** Is called when something that an agent did in a folder will not be recorded. */
  readonly lost: (folder: string, what: string) => void;
  /** Whether gates close in a folder when its extensions cannot be asked. */
  readonly closes: (folder: string) => boolean;
  /** Is called for a gate that nobody could be asked about. */
  readonly unasked: (hook: Accepted, why: UnaskedWhy, became: "open" | "closed") => void;
}

/** The answer to a hook, and what is to be done once it has left. */
export interface Handled {
  readonly answer: HookAnswer;
  /** Whether the hook is in the journal. */
  readonly kept: boolean;
  /** Is called when somebody got the answer. */
  readonly delivered: () => void;
  /** Resolves when the answer was delivered, or cannot be. */
  after(): void;
}

/** The number that stands for an entry that could not be written. */
const UNWRITTEN = 0;

const MOST_KNOWN = 2_000;

/** Takes each hook its way: journal, decision, answer, and then the record. */
export class HookService {
  readonly #parts: Parts;
  /** Entries of a daemon that died before it could answer; their clients ask again. */
  readonly #unanswered = new Map<string, JournalEntry>();
  /** The last entries, also of the daemon before: what is sent again does not get a second one. */
  readonly #known = new Map<string, JournalEntry>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes a hook, decides and answers. Never throws. */
  async handle(incoming: Incoming): Promise<Handled> {
    if (incoming.agent === GIT) return this.#handleGit(incoming);
    const startedAt = performance.now();
    const payload = parseObject(incoming.text);
    await this.#parts.meet(incoming.agent, folderOf({ ...incoming, payload }) ?? process.cwd());
    const accepted = { ...incoming, payload };
    const { deaths } = this.#parts;
    const isHopeless = deaths.isHopeless(incoming.id);
    deaths.begins(incoming.id);
    const understood = isHopeless ? undefined : this.#understand(accepted);
    if (understood) await tellBefore(understood.session, beforeJournal(understood));
    const entry = this.#keep(accepted, understood?.reading);
    let told: Told = {};
    let answer = understood ? NO_ANSWER : unreadAnswer(this.#parts, accepted);
    if (isHopeless) answer = unaskedAnswer(this.#parts, accepted, "deadly");
    const delivery = deliveryOf(understood && this.#parts.alarms.ask(understood));
    try {
      if (understood) {
        const lane = laneOf(accepted, understood.reading);
        const goesOn = this.#turnStart(lane, understood, entry);
        const answered = answerHook(this.#parts, understood, entry, payload ?? {});
        // Where the call leads is found out while the extensions think.
        const visit = this.#visit(entry, understood);
        ({ told, answer } = await answered);
        noteTold(understood.session.callIds, understood.row, understood.reading, told);
        expectCalls(understood, told);
        if (!told.block) {
          await goesOn;
          await visit?.();
        }
      }
    } catch (error) {
      this.#parts.log.failed(`${entry.agent} ${entry.hook} could not be answered`, error);
      answer = unaskedAnswer(this.#parts, accepted, "failed");
    }
    const ms = performance.now() - startedAt;
    deaths.outlived(incoming.id);
    const kept = entry.seq !== UNWRITTEN;
    const after = () => {
      if (!delivery.isDone()) this.#sayUndelivered(entry, told);
      void this.#finish(entry, understood, told, ms);
    };
    return { answer, kept, delivered: delivery.done, after };
  }

  /** Resolves when the agent may go on, as far as the snapshot at the start of its turn goes. */
  #turnStart(lane: string, { events, reading, hooks }: Understood, entry: JournalEntry) {
    const { turnStarts } = this.#parts;
    const { seq, id } = entry;
    const names = events.map(({ type }) => type);
    if (hooks.hidesPrompts && seq !== UNWRITTEN) {
      turnStarts.untold(lane, hookRecord(entry, reading, names));
    }
    if (!names.includes("agent_start")) return turnStarts.reached(lane, names, reading);
    if (seq !== UNWRITTEN) turnStarts.begun(lane, { seq, hookId: id });
    return undefined;
  }

  /** What comes before a call that works in another repository than its session. Never throws. */
  #visit(entry: JournalEntry, { hooks, events, reading }: Understood) {
    if (entry.seq === UNWRITTEN || hooks.inside) return undefined;
    const names = events.map(({ type }) => type);
    try {
      return this.#parts.turnStarts.visiting(hookRecord(entry, reading, names));
    } catch (error) {
      // Whatever was decided about the call holds all the same.
      this.#parts.log.failed(`where ${entry.agent} ${entry.hook} leads is not known`, error);
      return undefined;
    }
  }

  /** Handles a hook of git itself. No extension is asked about those. */
  async #handleGit(incoming: Incoming): Promise<Handled> {
    const git = await this.#parts.git.handle(incoming.hook, incoming.text);
    const delivered = () => {};
    if (!git) return { answer: NO_ANSWER, kept: true, delivered, after: () => {} };
    const { cwd } = git;
    const entry = this.#keep({ ...incoming, cwd, text: writeGitRequest(git), payload: undefined });
    const kept = entry.seq !== UNWRITTEN;
    return {
      answer: NO_ANSWER,
      kept,
      delivered,
      after: () => this.#record(entry, undefined, [], {}, { git }),
    };
  }

  /** Keeps and records a hook for which nobody waits any more. False if it could not be kept. */
  late(incoming: Incoming): boolean {
    if (this.#known.has(incoming.id) && !this.#unanswered.has(incoming.id)) return true;
    const git = gitRequestOf(incoming);
    const payload = parseObject(incoming.text);
    const accepted = { ...incoming, ...(git && { cwd: git.cwd }), payload };
    const known = this.#read(accepted);
    const entry = this.#keep(accepted, known?.reading);
    // A session may begin with it that the same process goes on with from elsewhere.
    if (known) this.#sessionOf(known, accepted);
    this.replay(entry, git);
    return entry.seq !== UNWRITTEN;
  }

  /** Records an entry of the journal that was not recorded yet. */
  replay(entry: JournalEntry, git = gitRequestOf(entry)): void {
    this.#unanswered.delete(entry.id);
    const { agent, row, reading } = this.recall(entry) ?? {};
    const events = row && reading ? this.#eventsOf(entry, row, reading) : [];
    if (agent && row && reading) {
      const cwd = reading.cwd ?? entry.cwd ?? process.cwd();
      const session = this.#parts.sessions.find(agent, reading, cwd);
      this.#parts.alarms.ask({ session, row, reading })();
    }
    this.#record(entry, reading, events, {}, { late: true, ...(git && { git }) });
  }

  /** Reads an entry of the past, whose calls may end only now. It can be done again safely. */
  recall(entry: JournalEntry) {
    const known = entry.isStruck ? this.#readCalls(entry) : this.#read(entry);
    if (!known || !namesCalls(known.reading)) return known;
    const { agent, row, reading } = known;
    const cwd = reading.cwd ?? entry.cwd ?? process.cwd();
    const { callIds } = this.#parts.sessions.find(agent, reading, cwd);
    return { ...known, reading: withCallIds(callIds, row, reading, entry.id) };
  }

  /** Reads what is left of an entry that was recorded: the ids of its calls. */
  #readCalls({ agent: name, hook, calls }: JournalEntry) {
    const agent = this.#parts.agents.get(name);
    const row = agent?.hooks?.mapping[hook];
    if (!calls || !agent?.hooks || !row) return undefined;
    const { hooks } = agent;
    return { agent: { ...agent, hooks }, hooks, row, reading: readingOf(calls) };
  }

  /** Notes an entry, because its client may send it again. */
  remember(entry: JournalEntry): void {
    this.#known.set(entry.id, { ...entry, text: "", payload: undefined });
    const [oldest = ""] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN) this.#known.delete(oldest);
  }

  /** Waits for the client of an entry to ask for its answer again; the entry is recorded with that. */
  expect(entry: JournalEntry): void {
    this.#unanswered.set(entry.id, entry);
    this.#parts.queue.expect(entry.seq, this.laneOf(entry));
  }

  /** Entries of the same lane have to be recorded in their order. */
  laneOf(accepted: Accepted): string {
    return laneOf(accepted, this.#read(accepted)?.reading);
  }

  /** Records the entries whose clients did not ask again in time. */
  giveUpWaiting(): void {
    for (const entry of [...this.#unanswered.values()]) this.replay(entry);
  }

  /** Writes a hook to the journal. If that fails, the answer is given all the same. */
  #keep(accepted: Accepted, reading?: Reading): JournalEntry {
    const { journal, queue, log } = this.#parts;
    const known = this.#unanswered.get(accepted.id) ?? this.#known.get(accepted.id);
    this.#unanswered.delete(accepted.id);
    if (known) return known;
    try {
      // The payload is read anew, because the calls of the first reading have other ids by now.
      const calls = reading && namesCalls(reading) && callsIn(this.#read(accepted)?.reading);
      const entry = journal.append({ ...accepted, ...(calls && { calls }) });
      this.remember(entry);
      queue.expect(entry.seq, laneOf(accepted, reading));
      return entry;
    } catch (error) {
      const what = `${accepted.agent} ${accepted.hook} could not be written to the journal`;
      log.failed(what, error);
      const folder = folderOf(accepted);
      if (folder !== undefined) this.#parts.lost(folder, `${what}: ${messageOf(error)}`);
      return { ...accepted, seq: UNWRITTEN };
    }
  }

  #read({ agent: name, hook, payload, text }: Accepted) {
    const { agents, log } = this.#parts;
    if (name === GIT) return undefined;
    const agent = agents.get(name);
    if (!agent?.hooks) {
      log.warn(`a hook of "${name}", which is not an agent with hooks: ${hook}`);
      return undefined;
    }
    const { hooks } = agent;
    if (!payload) {
      log.warn(`${name} ${hook}: the payload is not a JSON object (${text.length} characters)`);
      return undefined;
    }
    const row = Object.hasOwn(hooks.mapping, hook) ? hooks.mapping[hook] : undefined;
    if (!row) {
      log.write("debug", `${name} ${hook} is not known`);
      return undefined;
    }
    try {
      if (row.skip?.(payload)) return undefined;
      const reading = hooks.read(hook, payload);
      if (!reading) log.warn(`${name} ${hook}: the payload makes no sense`);
      return reading && { agent: { ...agent, hooks }, hooks, row, reading };
    } catch (error) {
      log.failed(`${name} ${hook} could not be read`, error);
      return undefined;
    }
  }

  #understand(accepted: Accepted): Understood | undefined {
    const known = this.#read(accepted);
    if (!known) return undefined;
    const { hooks, row } = known;
    const session = this.#sessionOf(known, accepted);
    if (session.repeats(accepted.hook, row)) return undefined;
    const reading = withCallIds(session.callIds, row, known.reading, accepted.id);
    const events = this.#eventsOf(accepted, row, reading);
    if (!hooks.inside) session.prepare(events, reading);
    this.#parts.sessions.used(session);
    return { hooks, row, reading, session, events };
  }

  #sessionOf({ agent, reading }: { agent: SessionOwner; reading: Reading }, from: Accepted) {
    const cwd = reading.cwd ?? from.cwd ?? process.cwd();
    return this.#parts.sessions.find(agent, reading, cwd, from.pid);
  }

  #eventsOf(accepted: Accepted, row: HookRow, reading: Reading) {
    return eventsFor(row, reading, originOf(accepted));
  }

  /** The agent may let a call pass whose hook was killed, or was given up. */
  #sayUndelivered({ agent, hook }: JournalEntry, { block, ask }: Told): void {
    const no = block ?? ask;
    if (!no) return;
    const what = block ? "no" : "to ask the user";
    this.#parts.log.warn(
      `${agent} ${hook}: the hook client ended before it could be told ${what} (${no.reason})`,
    );
  }

  async #finish(
    entry: JournalEntry,
    understood: Understood | undefined,
    told: Told,
    ms: number,
  ): Promise<void> {
    const events = firedEvents(understood?.events ?? [], told);
    this.#parts.inbox.forget(`${entry.id}/`);
    if (understood) {
      this.#parts.leading.delivered(understood.session);
      this.#parts.liveSessions.heard(understood, entry.at, told.interrupt !== undefined);
    }
    const pair = this.#pairAfter(entry, understood, told);
    if (understood && pair) await tellBefore(understood.session, pair.before);
    this.#record(entry, understood?.reading, events, told, { ms });
    if (!understood) return;
    this.#parts.alarms.look(understood);
    if (!pair || entry.seq === UNWRITTEN || !understood.session.listensFor(pair.after)) return;
    if (told.block) await this.#parts.queue.recorded(entry.seq);
    understood.session.observe(pair.after);
  }

  /** Undefined where extensions hear of the call inside the agent. */
  #pairAfter(entry: JournalEntry, known: Understood | undefined, told: Told) {
    if (!known || known.hooks.inside) return undefined;
    return pairAfter(known.events, told, { ...known, origin: originOf(entry) });
  }

  #record(
    entry: JournalEntry,
    reading: Reading | undefined,
    events: readonly SeamEvent[],
    told: Told,
    { ms, late, git }: { readonly ms?: number; late?: boolean; git?: GitRequest } = {},
  ): void {
    const { live, queue } = this.#parts;
    const { seq, at, agent, hook } = entry;
    const where = reading?.cwd ?? entry.cwd;
    const common = { seq, at, agent, hook, ...(where !== undefined && { cwd: where }) };
    const timed = ms === undefined ? {} : { ms: Math.round(ms * 10) / 10 };
    for (const event of toLiveEvents({ ...common, ...timed }, reading, events, told)) {
      live.publish(event);
    }
    if (seq === UNWRITTEN) return;
    const names = events.map(({ type }) => type);
    queue.done({
      ...hookRecord(entry, reading, names),
      told,
      ...(late && { late }),
      ...(git && { git }),
    });
  }
}
