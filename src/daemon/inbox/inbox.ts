import { createHash, randomUUID } from "node:crypto";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { Log } from "../log.ts";
import { checkedAnswer } from "./checked-answer.ts";
import type { GivenAnswer, InboxEvent, Question, RememberedFor, Settled } from "./question.ts";
import type { QuestionStore, StoredQuestion } from "./question-store.ts";
import type { Rules } from "./rules.ts";

/** A question as somebody in the daemon puts it. */
export interface WantedQuestion
  extends Omit<Question, "id" | "at" | "deadline" | "isHeld" | "rememberable"> {
  /** The same when the same question is asked again after the daemon was killed. */
  readonly key?: string;
  /** When it is too late, in milliseconds since 1970. */
  readonly deadline?: number;
  /** It waits also while nobody is attached. */
  readonly isPatient?: true;
  /** Whoever asked does not want to know any more. */
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
  readonly isPatient: boolean;
  /** Absent as long as the handler has not asked again after the daemon was killed. */
  settle?: (settled: Settled) => void;
  settled?: Settled;
  timer?: NodeJS.Timeout;
}

interface Options {
  readonly store: QuestionStore;
  readonly rules: Rules;
  readonly log: Log;
  /** Whether people will look though no client is attached. */
  readonly alwaysAttended: () => boolean;
  /** Whether somebody would see a question has changed. */
  readonly onAttended: (isAttended: boolean) => void;
  /** Is told what everybody who is attached is told. */
  readonly hear?: (event: InboxEvent) => void;
  /** Clients of a daemon that was killed have so long to come back, and a page to be loaded anew. */
  readonly graceMs?: number;
}

const GRACE_MS = 15_000;
/** A question whose handler did not ask again by then will not be asked again. */
const LEFT_MS = 120_000;
/** An answer is kept for a handler that asks again after the daemon was killed. */
const KEEP_ANSWER_MS = 3_600_000;
const MOST_RECENT = 200;
/** What `seam` itself is called where it asks. */
export const SEAM = "seam";

/** Everything that waits for a person. The first answer wins; everybody attached sees it. */
export class Inbox {
  readonly #options: Options;
  readonly #waiting = new Map<string, Waiting>();
  /** The last ones that were settled: whoever answers one of them hears who was faster. */
  readonly #recent = new Map<string, Settled>();
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
    return this.#clients.size > 0 || this.#grace !== undefined || this.#options.alwaysAttended();
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
    const known = this.#waiting.get(idOf(key));
    if (known?.settled) return known.settled;
    if (signal?.aborted) return { cancelled: true, why: WITHDRAWN };
    if (!known && !isPatient && !this.isAttended) return { cancelled: true, why: NOBODY };
    const waiting = known ?? this.#open(wanted, key);
    return new Promise((resolve) => {
      // Whoever asked before asks again: there is one question, and the one who waits now hears.
      waiting.settle?.({ cancelled: true, why: WITHDRAWN });
      clearTimeout(waiting.timer);
      waiting.settle = resolve;
      this.#watch(waiting);
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

  /** Whether somebody waits for an answer to one of these. */
  waitsFor(keyStart: string): boolean {
    return [...this.#waiting.values()].some(
      ({ key, settled, settle }) => !settled && settle && key.startsWith(keyStart),
    );
  }

  /** The agent was answered: nobody will ask these again. */
  forget(keyStart: string): void {
    for (const [id, { key }] of this.#waiting) {
      if (key.startsWith(keyStart)) this.#drop(id);
    }
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
    // Whoever holds a session wants to be asked each time.
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
    const rememberable = rememberableFor(wanted);
    const question: Question = {
      ...rest,
      id: idOf(key),
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

  #watch(waiting: Waiting): void {
    const { deadline } = waiting.question;
    if (deadline === undefined) return;
    const late = () => {
      const { isHeld } = waiting.question;
      this.#settle(waiting, { cancelled: true, why: isHeld ? HELD : LATE });
    };
    // A clock that jumps must not close a question early: what is left is measured once.
    waiting.timer = setTimeout(late, Math.max(0, Date.parse(deadline) - Date.now()));
  }

  #hold(waiting: Waiting, who: string): { held: true } {
    const question: Question = { ...waiting.question, isHeld: true };
    const held: Waiting = { ...waiting, question };
    clearTimeout(waiting.timer);
    this.#waiting.set(question.id, held);
    this.#keep({ question, key: held.key });
    this.#watch(held);
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
    if ("value" in settled) {
      this.#keep({ question: now.question, key, settled });
      now.timer = setTimeout(() => this.#drop(question.id), KEEP_ANSWER_MS).unref();
    } else this.#drop(question.id);
    this.#note(question.id, settled);
    this.publish({ type: "settled", id: question.id, question: now.question, settled });
    now.settle?.(settled);
    return { settled };
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

  /** A question of the daemon before: it is shown at once, its handler asks again in a moment. */
  #takeUp({
    question,
    key,
    settled,
  }: {
    question: Question;
    key: string;
    settled?: Settled;
  }): void {
    const waiting: Waiting = { question, key, isPatient: false, ...(settled && { settled }) };
    this.#waiting.set(question.id, waiting);
    const leave = () => {
      if (waiting.settle === undefined) this.#drop(question.id);
    };
    waiting.timer = setTimeout(leave, settled ? KEEP_ANSWER_MS : LEFT_MS).unref();
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
      if (waiting.isPatient || waiting.settled || !waiting.settle) continue;
      this.#settle(waiting, { cancelled: true, why: NOBODY });
    }
  }
}

const WITHDRAWN = "whoever asked does not wait any more";
const NOBODY = "nobody is there to answer";
const LATE = "nobody answered in time";
/** A question that somebody put off. It is no "no" to what was asked. */
export const HELD = "held by the user, try again later";

/** Short enough to be typed, the same for the same key. */
function idOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

function rememberableFor({ call, method, isPatient }: WantedQuestion): RememberedFor[] {
  if (!call || isPatient || (method !== "confirm" && method !== "select")) return [];
  const named = (["command", "path"] as const).filter(
    (kind) => typeof call.input[kind] === "string",
  );
  return [...named, "tool"];
}

function alreadyAnswered(id: string, settled: Settled): SeamError {
  const what = "value" in settled ? `${settled.who} answered "${settled.value}"` : settled.why;
  return new SeamError("SEAM_INBOX_ANSWERED", { id, what });
}
