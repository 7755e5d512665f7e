import type { LiveEvent, LiveSession, ServiceSurroundings } from "../../daemon/index.ts";
import type { Now, SessionCard } from "../api.ts";
import type { CardFacts } from "../session/answers.ts";
import type { SessionWish } from "../session/find-session.ts";
import type { Hub } from "../stream/hub.ts";
import { Cards, wishOf } from "./cards.ts";

/** What changes faster than a person sees is told together. */
const TOGETHER_MS = 120;
const CLIENT = "the page";

type Around = Pick<ServiceSurroundings, "inbox" | "sessions">;

/** What happens now, for the pages that are open. Costs next to nothing while none is. */
export class LiveView {
  readonly #around: Around;
  readonly #hub: Hub;
  readonly #cards: Cards;
  readonly #changed = new Map<string, LiveSession>();
  readonly #grown = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | undefined;

  constructor(around: Around, hub: Hub, lookUp: (wish: SessionWish) => Promise<CardFacts>) {
    this.#around = around;
    this.#hub = hub;
    this.#cards = new Cards(lookUp, (session) => this.#mark(session));
  }

  /** Pages are open from now on, or none any more. */
  setOpen(isOpen: boolean): void {
    if (isOpen === (this.#leave !== undefined)) return;
    if (!isOpen) {
      this.#leave?.();
      this.#leave = undefined;
      return;
    }
    const { inbox, sessions } = this.#around;
    const detach = inbox.attach({
      name: CLIENT,
      // It runs later, so that the caller goes on first.
      hear: (event) => void setImmediate(() => this.#hub.tell(event)),
    });
    const unfollow = sessions.follow((session) => this.#mark(session));
    this.#leave = () => {
      detach();
      unfollow();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  now(version: string, host: string): Now {
    const live = this.#around.sessions.list();
    this.#cards.keep(live);
    for (const session of live) this.#cards.look(session);
    const sessions = live.map((session) => this.#cards.card(session));
    sessions.sort((a, b) => (a.at < b.at ? 1 : -1));
    return { sessions, questions: this.#around.inbox.questions(), version, host };
  }

  /** After each hook. */
  hear(event: LiveEvent): void {
    if (this.#leave === undefined || event.session === undefined) return;
    const key = `${event.agent}/${event.session}`;
    this.#grown.add(key);
    this.#soon();
    if (this.#hub.isFollowed(key)) {
      setImmediate(() => this.#hub.tell({ type: "hook", event }, key));
    }
  }

  find(agent: string, session: string): LiveSession | undefined {
    return this.#around.sessions
      .list()
      .find((one) => one.agent === agent && one.session === session);
  }

  cardOf(session: LiveSession): SessionCard {
    return this.#cards.card(session);
  }

  wishFor(agent: string, session: string): SessionWish {
    const live = this.find(agent, session);
    return live ? wishOf(live) : { agent, session };
  }

  /** Folders in which agents were heard of. */
  folders(): string[] {
    return [...new Set(this.#around.sessions.list().map(({ cwd }) => cwd))];
  }

  #mark(session: LiveSession): void {
    this.#changed.set(`${session.agent}/${session.session}`, session);
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, TOGETHER_MS);
  }

  #flush(): void {
    const [changed, grown] = [[...this.#changed.values()], [...this.#grown]];
    this.#changed.clear();
    this.#grown.clear();
    for (const heard of changed) {
      // Its transcript may have been read for long: a question may wait since then, or none any more.
      const session = this.find(heard.agent, heard.session) ?? heard;
      this.#cards.look(session);
      this.#hub.tell({ type: "session", session: this.#cards.card(session) });
    }
    for (const key of grown) {
      const slash = key.indexOf("/");
      const [agent, session] = [key.slice(0, slash), key.slice(slash + 1)];
      this.#hub.tell({ type: "grew", agent, session });
      const live = this.find(agent, session);
      if (live) this.#cards.look(live);
    }
  }
}
