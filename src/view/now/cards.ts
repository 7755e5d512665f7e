import { basename } from "node:path";
import { type Agent, agentNamed, type Power } from "../../agents/index.ts";
import { endsOf, type LiveSession } from "../../daemon/index.ts";
import type { Said, SessionCard } from "../api.ts";
import type { CardFacts } from "../session/answers.ts";
import type { SessionWish } from "../session/find-session.ts";

/** How often a transcript that keeps growing is looked at. */
const LOOK_MS = 2_000;
const TITLE = 120;
/** How many transcripts are read at once: what a person asks for meanwhile waits behind these. */
const MOST_AT_ONCE = 2;

type LookUp = (wish: SessionWish) => Promise<CardFacts>;

interface Known {
  facts?: CardFacts;
  lookedAt: number;
  isLooking: boolean;
}

/** What the page shows of each live session. What has to be read for it comes later, by itself. */
export class Cards {
  readonly #lookUp: LookUp;
  readonly #onMore: (session: LiveSession) => void;
  readonly #known = new Map<string, Known>();
  readonly #waiting: LiveSession[] = [];
  #reading = 0;

  /** `onMore` is told of a session of which more is known now. */
  constructor(lookUp: LookUp, onMore: (session: LiveSession) => void) {
    this.#lookUp = lookUp;
    this.#onMore = onMore;
  }

  card(session: LiveSession): SessionCard {
    const agent = agentNamed(session.agent);
    const facts = this.#known.get(keyOf(session))?.facts;
    return {
      ...session,
      ...facts,
      title: facts?.title || firstLine(session.prompt) || "A new session",
      agentType: agent?.type ?? session.agent,
      project: basename(session.cwd),
      can: {
        hold: powersOf(agent).has("block"),
        say: sayOf(agent),
        interrupt: endsOf(Object.values(agent?.hooks?.mapping ?? {})) ?? "cannot",
      },
    };
  }

  /** Looks at its transcript as soon as others have been looked at, unless that was done a moment ago. */
  look(session: LiveSession): void {
    const key = keyOf(session);
    const known = this.#known.get(key) ?? { lookedAt: 0, isLooking: false };
    this.#known.set(key, known);
    if (known.isLooking || Date.now() - known.lookedAt < LOOK_MS) return;
    known.isLooking = true;
    this.#waiting.push(session);
    this.#readNext();
  }

  /** Forgets those that are not live any more. */
  keep(live: readonly LiveSession[]): void {
    const keys = new Set(live.map(keyOf));
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
  }

  #readNext(): void {
    if (this.#reading >= MOST_AT_ONCE) return;
    const session = this.#waiting.shift();
    if (!session) return;
    const known = this.#known.get(keyOf(session));
    if (!known) {
      this.#readNext();
      return;
    }
    this.#reading++;
    this.#lookUp(wishOf(session))
      .then((facts) => {
        const isNew = JSON.stringify(facts) !== JSON.stringify(known.facts);
        known.facts = facts;
        if (isNew) this.#onMore(session);
      })
      // Many sessions have no transcript yet.
      .catch(() => {})
      .finally(() => {
        known.isLooking = false;
        known.lookedAt = Date.now();
        this.#reading--;
        this.#readNext();
      });
  }
}

/** The question for a session that hooks told of. */
export function wishOf({ agent, session, transcript, cwd, phase }: LiveSession): SessionWish {
  return {
    agent,
    session,
    cwd,
    isWorking: phase === "working" || phase === "needs-you",
    ...(transcript !== undefined && { transcript }),
  };
}

const keyOf = ({ agent, session }: LiveSession) => `${agent}/${session}`;

function firstLine(text = ""): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > TITLE ? `${line.slice(0, TITLE)}…` : line;
}

function powersOf(agent: Agent | undefined): ReadonlySet<Power> {
  return new Set(Object.values(agent?.hooks?.mapping ?? {}).flatMap(({ powers }) => powers));
}

function sayOf(agent: Agent | undefined): Said["when"] {
  const powers = powersOf(agent);
  if (powers.has("add_context")) return "next step";
  return powers.has("continue") ? "when it stops" : "cannot";
}
