import { randomUUID } from "node:crypto";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { Log } from "../log.ts";
import { alreadyAnswered, checkedAnswer } from "./checked-answer.ts";
import type { GivenAnswer, InboxEvent, Question, RememberedFor, Settled } from "./question.ts";
import { questionId } from "./question-id.ts";
import { isFull } from "./question-limit.ts";
import type { QuestionStore, StoredQuestion } from "./question-store.ts";
import { type Rules, rememberableFor } from "./rules.ts";
import { HELD, LATE, NOBODY, WITHDRAWN } from "./unanswered.ts";
import { WaitingLine } from "./waiting-line.ts";

/** A question as somebody in the daemon puts it. */
export interface WantedQuestion
  extends Omit<Question, "id" | "at" | "deadline" | "isHeld" | "rememberable"> {
  /** The same when the same question is asked again after the daemon was killed. */
  readonly key?: string;
  /** When it is too late, in milliseconds since 1970. */
  readonly deadline?: number;
  /** The question waits even while nobody is attached. */
  readonly isPatient?: true;
  /** The asker has given up. */
  readonly signal?: AbortSignal;
}

/** Somebody who can see questions and answer them: a page, a terminal. */
export interface InboxClient {
  readonly name: string;
  hear(event: InboxEvent): void;
}

interface Waiting {
  readonly question: Question;
  readonly key: string;
  /** Known again after a restart of the daemon when the handler has asked again. */
  isPatient: boolean;
  /** Absent after a restart of the daemon, until the handler has asked again. */
  settle?: (settled: Settled) => void;
  settled?: Settled;
  timer?: NodeJS.Timeout;
  /** An answer for somebody who waited for the daemon before, and has not asked again yet. */
  isUnheard?: boolean;
}

interface Options {
  readonly store: QuestionStore;
  readonly rules: Rules;
  readonly log: Log;
  /** Whether people will look though no client is attached. */
  readonly alwaysAttended: () => boolean;
  /** Is called when the answer to "would somebody see a question?" has changed. */
  readonly onAttended: (isAttended: boolean) => void;
  /** Is called with what every attached client is told. */
  readonly hear?: (event: InboxEvent) => void;
  /** How long clients of a killed daemon have to come back, including a page that is reloaded. */
  readonly graceMs?: number;
  /** How long whoever waited for a killed daemon has to ask again. */
  readonly leftMs?: number;
}

const GRACE_MS = 15_000;
/** After this time a handler that has not asked again will not do so any more. */
const LEFT_MS = 120_000;
/** An answer is kept for a handler that asks again after the daemon was killed. */
const KEEP_ANSWER_MS = 3_600_000;
const MOST_RECENT = 200;
/** A timer that is set to more than this ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What `seam` itself is called where it asks. */
export const SEAM = "seam";

/** Everything that waits for a person. The first answer wins; everybody attached sees it. */
export class Inbox {
  readonly #options: Options;
  readonly #waiting = new Map<string, Waiting>();
  /** The last ones that were settled: whoever answers one of them hears who was faster. */
  readonly #recent = new Map<string, Settled>();
  readonly #line = new WaitingLine();
  readonly #isFull = (wanted: WantedQuestion) => isFull(this.#waiting, wanted);
  readonly #clients = new Set<InboxClient>();
  #grace: NodeJS.Timeout | undefined;
  #wasAttended = false;

  constructor(options: Options) {
    this.#options = options;
    for (const stored of options.store.load()) this.#takeUp(stored);
  }

  /** To be called once. `expects`: those who were attached to a daemon that was killed come back. */
  begin(expects: boolean): void {
    if (expects) this.#startGrace();
    this.#tellAttended();
  }

  get isAttended(): boolean {
    if (this.#clients.size > 0 || this.#grace !== undefined) return true;
    // A handler that finds nobody there would not ask again, and would never hear its answer.
    const isAwaited = [...this.#waiting.values()].some(
      (one) => one.isUnheard || (one.question.isHeld && !one.settled && !one.settle),
    );
    return isAwaited || this.#options.alwaysAttended();
  }

  /** The settings may say something else than before. */
  look(): void {
    this.#tellAttended();
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** What waits for an answer, oldest first. */
  questions(): readonly Question[] {
    const open = [...this.#waiting.values()].filter(({ settled }) => settled === undefined);
    return open.map(({ question }) => question).sort((a, b) => a.at.localeCompare(b.at));
  }

  /** Asks, and waits for as long as it takes. Never rejects. */
  async ask(wanted: WantedQuestion): Promise<Settled> {
    const ruled = this.#ruled(wanted);
    if (ruled) return ruled;
    const { key = randomUUID(), isPatient = false, signal } = wanted;
    const known = this.#waiting.get(questionId(key));
    if (known?.settled) {
      this.#noteHeard(known);
      return known.settled;
    }
    if (signal?.aborted) return { cancelled: true, why: WITHDRAWN };
    if (!known && !isPatient && !this.isAttended) return { cancelled: true, why: NOBODY };
    if (!known && this.#isFull(wanted)) {
      return this.#line.stand(wanted, () => this.ask({ ...wanted, key }));
    }
    const waiting = known ?? this.#open(wanted, key);
    waiting.isPatient = isPatient;
    return new Promise((resolve) => {
      // The handler asks again: it stays one question, and whoever waits now gets the answer.
      waiting.settle?.({ cancelled: true, why: WITHDRAWN });
      clearTimeout(waiting.timer);
      waiting.settle = resolve;
      this.#watch(waiting, wanted.deadline);
      if (known?.question.isHeld) this.#tellAttended();
      const withdraw = () => this.#settle(waiting, { cancelled: true, why: WITHDRAWN });
      signal?.addEventListener("abort", withdraw, { once: true });
    });
  }

  /** Takes a person's answer. Throws if it comes too late, or makes no sense. */
  answer(given: GivenAnswer): { settled: Settled } | { held: true } {
    const { id, act, who = "somebody" } = given;
    const waiting = this.#waiting.get(id);
    const settled = waiting ? waiting.settled : this.#recent.get(id);
    if (settled) throw alreadyAnswered(id, settled);
    if (!waiting) throw new SeamError("SEAM_INBOX_UNKNOWN", { id });
    if (act === "hold") return this.#hold(waiting, who);
    if (act === "cancel") {
      return this.#settle(waiting, { cancelled: true, who, why: `${who} closed it` });
    }
    const value = checkedAnswer(waiting.question, given.value);
    const rule = given.remember && this.#remember(waiting.question, value, given.remember);
    return this.#settle(waiting, { value, who, ...(rule !== undefined && { rule }) });
  }

  /** Ends what waits for a session, or for one kind of question of it, with the same answer. */
  settleAll(matches: (question: Question) => boolean, settled: Settled): void {
    for (const waiting of [...this.#waiting.values()]) {
      if (matches(waiting.question) && !waiting.settled) this.#settle(waiting, settled);
    }
  }

  /** Whether one of these was asked, also before this daemon. */
  knows(keyStart: string): boolean {
    return [...this.#waiting.values()].some(({ key }) => key.startsWith(keyStart));
  }

  /** Whether somebody waits for an answer to one of these. */
  waitsFor(keyStart: string): boolean {
    return [...this.#waiting.values()].some(
      ({ key, settled, settle }) => !settled && settle && key.startsWith(keyStart),
    );
  }

  /** Closes the questions of whoever has stopped waiting, and says so where there was an answer. */
  withdraw(keyStart: string): void {
    for (const waiting of [...this.#waiting.values()]) {
      if (!waiting.key.startsWith(keyStart)) continue;
      if (waiting.settled) this.#sayUnheard(waiting);
      else this.#settle(waiting, { cancelled: true, why: WITHDRAWN });
    }
  }

  /** Forgets the questions of a hook that was answered: nobody will ask them again. */
  forget(keyStart: string): void {
    for (const [id, { key }] of this.#waiting) {
      if (key.startsWith(keyStart)) this.#drop(id);
    }
    this.#line.letIn(this.#isFull);
  }

  attach(client: InboxClient): () => void {
    this.#clients.add(client);
    this.#endGrace();
    this.#tellAttended();
    return () => {
      if (!this.#clients.delete(client) || this.#clients.size > 0) return;
      this.#startGrace();
    };
  }

  /** Tells everybody who is attached. */
  publish(event: InboxEvent): void {
    this.#options.hear?.(event);
    for (const client of this.#clients) {
      try {
        client.hear(event);
      } catch (error) {
        this.#options.log.failed(`${client.name} could not take what is in the inbox`, error);
      }
    }
  }

  close(): void {
    clearTimeout(this.#grace);
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
  }

  #ruled(wanted: WantedQuestion): Settled | undefined {
    // A person who holds a session wants to be asked each time.
    if (wanted.isPatient) return undefined;
    try {
      const rule = this.#options.rules.find(wanted);
      return rule && { value: rule.answer, who: "a rule", rule: rule.id };
    } catch (error) {
      this.#options.log.warn(`the rules cannot be used, so people are asked: ${messageOf(error)}`);
      return undefined;
    }
  }

  #open(wanted: WantedQuestion, key: string): Waiting {
    const { key: _, signal: __, isPatient = false, deadline, ...rest } = wanted;
    const rememberable = isPatient ? [] : rememberableFor(wanted);
    const question: Question = {
      ...rest,
      id: questionId(key),
      at: new Date().toISOString(),
      ...(deadline !== undefined && { deadline: new Date(deadline).toISOString() }),
      ...(rememberable.length > 0 && { rememberable }),
    };
    const waiting: Waiting = { question, key, isPatient };
    this.#keep({ question, key });
    this.#waiting.set(question.id, waiting);
    this.publish({ type: "asked", question });
    return waiting;
  }

  /** `latest`: when whoever asks now has to go on, by the clock as it is now. */
  #watch(waiting: Waiting, latest = Number.POSITIVE_INFINITY): void {
    const { deadline } = waiting.question;
    if (deadline === undefined) return;
    const late = () => {
      const isHeld = this.#waiting.get(waiting.question.id)?.question.isHeld;
      this.#settle(waiting, { cancelled: true, why: isHeld ? HELD : LATE });
    };
    // A clock that jumps must not close a question early or late: what is left is measured once.
    const left = Math.min(Date.parse(deadline), latest) - Date.now();
    waiting.timer = setTimeout(late, Math.min(Math.max(0, left), LONGEST_TIMER_MS));
  }

  #hold(waiting: Waiting, who: string): { held: true } {
    const question: Question = { ...waiting.question, isHeld: true };
    const held: Waiting = { ...waiting, question };
    this.#waiting.set(question.id, held);
    this.#keep({ question, key: held.key });
    this.publish({ type: "held", id: question.id, who });
    return { held: true };
  }

  #remember(question: Question, value: string, kind: RememberedFor): string {
    if (!question.rememberable?.includes(kind)) {
      throw new SeamError("SEAM_INBOX_REMEMBER", { kind });
    }
    return this.#options.rules.add(question, value, kind).id;
  }

  #settle(waiting: Waiting, settled: Settled): { settled: Settled } {
    const { question, key } = waiting;
    const now = this.#waiting.get(question.id);
    if (!now || now.settled) return { settled: now?.settled ?? settled };
    clearTimeout(now.timer);
    now.settled = settled;
    // Only what a person said outlives the daemon: everything else is found out anew.
    if (settled.who !== undefined) {
      this.#keep({ question: now.question, key, settled });
      if (now.settle) now.timer = this.#dropLater(question.id);
      else this.#expectHearer(now, () => this.#sayUnheard(now));
    } else this.#drop(question.id);
    this.#note(question.id, settled);
    this.publish({ type: "settled", id: question.id, question: now.question, settled });
    now.settle?.(settled);
    this.#line.letIn(this.#isFull);
    return { settled };
  }

  /** Whoever waited for the daemon before has so long to ask again and hear the answer. */
  #expectHearer(waiting: Waiting, late: () => void): void {
    waiting.isUnheard = true;
    const over = () => {
      if (waiting.isUnheard) late();
      this.#noteHeard(waiting);
    };
    waiting.timer = setTimeout(over, this.#options.leftMs ?? LEFT_MS).unref();
  }

  #noteHeard(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    waiting.timer = this.#dropLater(waiting.question.id);
    if (!waiting.isUnheard) return;
    waiting.isUnheard = false;
    this.#tellAttended();
  }

  #dropLater(id: string): NodeJS.Timeout {
    return setTimeout(() => this.#drop(id), KEEP_ANSWER_MS).unref();
  }

  /** People who were told that their answer was taken hear that it changed nothing. */
  #sayUnheard({ question: { agent, session, title }, settled }: Waiting): void {
    if (settled?.who === undefined) return;
    const answer = "value" in settled ? `“${settled.value}”` : "what was said";
    const text = `Nobody waited any more for the answer to “${title}”: ${answer} changed nothing.`;
    this.publish({ type: "notice", agent, session, text, level: "warning" });
  }

  /** What cannot be kept counts all the same: it is only lost if the daemon is killed now. */
  #keep(stored: StoredQuestion): void {
    try {
      this.#options.store.write(stored);
    } catch (error) {
      this.#options.log.failed("a question could not be kept", error);
    }
  }

  #note(id: string, settled: Settled): void {
    this.#recent.set(id, settled);
    const [oldest = ""] = this.#recent.keys();
    if (this.#recent.size > MOST_RECENT) this.#recent.delete(oldest);
  }

  #drop(id: string): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
    this.#options.store.remove(id);
  }

  /**
   * A question that the previous daemon left is shown at once; its handler asks again in a moment.
   */
  #takeUp({ question, key, settled }: StoredQuestion): void {
    const waiting: Waiting = { question, key, isPatient: false, ...(settled && { settled }) };
    this.#waiting.set(question.id, waiting);
    if (settled) {
      this.#note(question.id, settled);
      // The one before may have been killed right after the answer was heard: nothing is said then.
      this.#expectHearer(waiting, () => {});
      return;
    }
    const leave = () => {
      if (waiting.settle === undefined) this.withdraw(key);
    };
    waiting.timer = setTimeout(leave, this.#options.leftMs ?? LEFT_MS).unref();
  }

  #startGrace(): void {
    clearTimeout(this.#grace);
    const over = () => {
      this.#grace = undefined;
      this.#tellAttended();
    };
    this.#grace = setTimeout(over, this.#options.graceMs ?? GRACE_MS).unref();
  }

  #endGrace(): void {
    clearTimeout(this.#grace);
    this.#grace = undefined;
  }

  #tellAttended(): void {
    const { isAttended } = this;
    if (isAttended !== this.#wasAttended) this.#options.onAttended(isAttended);
    this.#wasAttended = isAttended;
    if (isAttended) return;
    for (const waiting of [...this.#waiting.values()]) {
      // Whoever said "not now" wants the agent to wait, and need not stay for that.
      const mayWait = waiting.isPatient || waiting.question.isHeld;
      if (mayWait || waiting.settled || !waiting.settle) continue;
      this.#settle(waiting, { cancelled: true, why: NOBODY });
    }
  }
}
