import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import { AttendedMark } from "../inbox/attended-mark.ts";
import { Inbox } from "../inbox/inbox.ts";
import { Notifier } from "../inbox/notifier.ts";
import type { InboxEvent, ShownKind } from "../inbox/question.ts";
import { QuestionStore } from "../inbox/question-store.ts";
import { Rules } from "../inbox/rules.ts";
import type { Log } from "../log.ts";
import { type Ends, Interruptions } from "./interruptions.ts";
import { type LedSession, LedSessions, type Reaches } from "./lead-sessions.ts";
import type { LiveSession } from "./live-session.ts";
import { LiveSessions, type SessionRef } from "./live-sessions.ts";

interface Options {
  readonly home: string;
  readonly run: string;
  readonly log: Log;
  /** The session, if it spoke to this daemon. */
  readonly find: (ref: SessionRef) => LedSession | undefined;
  /** Whose hooks a session has that spoke to the daemon before. */
  readonly agentNamed: (name: string) => Pick<LedSession, "agent" | "hooks"> | undefined;
  readonly onAttended: (isAttended: boolean) => void;
  /** How long the inbox waits for those who left it, if not the usual time. */
  readonly comeBackMs?: number | undefined;
}

interface Shown {
  readonly kind: ShownKind;
  readonly key: string;
  readonly lines?: readonly string[];
}

/** What services can do with the sessions of all agents. */
export interface SessionsForPeople {
  list(): readonly LiveSession[];
  /** Tells of every change, several at once. */
  follow(hear: (session: LiveSession) => void): () => void;
  hold(ref: SessionRef): void;
  release(ref: SessionRef, who: string): void;
  /** `by`: the extension that speaks; without it, a person does. */
  say(ref: SessionRef, text: string, by?: string): { readonly when: Reaches };
  /** Ends its turn. `by`: "you", or the extension that wants it. */
  interrupt(ref: SessionRef, by: string): { readonly ends: Ends };
}

/** Everything through which people see sessions and answer them. */
export class People {
  readonly inbox: Inbox;
  readonly rules: Rules;
  readonly leading: LedSessions;
  readonly interruptions: Interruptions;
  readonly live: LiveSessions;
  readonly #notifier: Notifier;
  readonly #find: Options["find"];
  readonly #agentNamed: Options["agentNamed"];

  constructor({ home, run, log, find, agentNamed, onAttended, comeBackMs }: Options) {
    this.#find = find;
    this.#agentNamed = agentNamed;
    const folder = join(run, "inbox");
    const settings = () => loadUserSettings().inbox;
    this.rules = new Rules(home);
    this.#notifier = new Notifier({ log, settings });
    const store = new QuestionStore(folder);
    const mark = new AttendedMark(folder);
    this.inbox = new Inbox({
      store,
      rules: this.rules,
      log,
      alwaysAttended: () => settings().attended === "always",
      onAttended: (isAttended) => {
        mark.set(isAttended);
        onAttended(isAttended);
      },
      hear: (event) => this.#heard(event),
      ...(comeBackMs !== undefined && { graceMs: comeBackMs }),
    });
    this.leading = new LedSessions(run, this.inbox, (ref) => this.live.changed(ref));
    this.interruptions = new Interruptions(run, this.inbox, (ref) => this.live.changed(ref));
    this.live = new LiveSessions({
      folder: run,
      questions: () => this.inbox.questions(),
      isHeld: (ref) => this.leading.isHeld(ref),
      isInterrupted: (ref) => this.interruptions.isInterrupted(ref),
      unheard: (ref) => this.leading.unheard(ref),
    });
    this.inbox.begin(mark.isLeft);
  }

  get isBusy(): boolean {
    return this.inbox.clients > 0 || this.inbox.questions().length > 0;
  }

  get sessions(): SessionsForPeople {
    const { live, leading, interruptions } = this;
    return {
      list: () => live.list(),
      follow: (hear) => live.follow(hear),
      hold: (ref) => leading.hold(ref, this.#known(ref)),
      release: (ref, who) => leading.release(ref, who),
      say: (ref, text, by) => ({ when: leading.say(this.#known(ref), text, by) }),
      interrupt: (ref, by) => {
        const led = this.#known(ref);
        if (live.get(ref)?.phase === "done") {
          throw new SeamError("SEAM_SESSION_IDLE", { session: ref.session });
        }
        return { ends: interruptions.interrupt(ref, led, by) };
      },
    };
  }

  /** What an extension shows beside its session. */
  shown({ agent, id, cwd }: LedSession, { kind, key, lines }: Shown): void {
    const ref = { agent: agent.name, session: id };
    this.live.begin({ ...ref, cwd });
    this.live.show(ref, kind, key, lines);
    this.inbox.publish({ type: "shown", ...ref, kind, key, ...(lines && { lines }) });
  }

  close(): void {
    this.#notifier.close();
    this.inbox.close();
    this.live.close();
  }

  /** Closes what waits for sessions whose agents are gone: nobody would hear the answer. */
  lookForEnded(isGone: (ref: SessionRef) => boolean): void {
    for (const ref of this.live.doubtful().filter(isGone)) {
      this.live.end(ref);
      this.inbox.settleAll(({ agent, session }) => agent === ref.agent && session === ref.session, {
        cancelled: true,
        why: "its agent has ended",
      });
    }
  }

  #known(ref: SessionRef): LedSession {
    if (this.live.get(ref)?.isEnded) {
      throw new SeamError("SEAM_SESSION_ENDED", { session: ref.session });
    }
    const found = this.#find(ref) ?? this.#spokeBefore(ref);
    if (!found) throw new SeamError("SEAM_SESSION_UNKNOWN", { session: ref.session });
    return found;
  }

  /** What is said to such a one is kept, and handed over with its next hook. */
  #spokeBefore(ref: SessionRef): LedSession | undefined {
    const live = this.live.get(ref);
    const agent = live && this.#agentNamed(ref.agent);
    return agent && { ...agent, id: ref.session, cwd: live.cwd, messages: [] };
  }

  #heard(event: InboxEvent): void {
    this.#notifier.hear(event);
    if (event.type !== "asked" && event.type !== "settled") return;
    // A crew asks about its run, which is no session that could be opened.
    if (event.question.by === "crew") return;
    this.live.begin(event.question);
    this.live.changed(event.question);
  }
}
