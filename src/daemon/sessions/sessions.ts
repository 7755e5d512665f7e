import type { Reading } from "../../agents/index.ts";
import { projectRoot } from "../../settings/index.ts";
import { Session, type SessionOwner, type Surroundings } from "./session.ts";

/** A session that was silent for so long gets its worker back when it speaks again. */
const IDLE_MS = 30 * 60_000;
/** Loaded extensions cost memory; beyond this the session that was silent longest lets go of its. */
const MOST_WORKERS = 400;
/** A session that found no thread and has been silent since is most likely over. */
const TROUBLE_MS = 10 * 60_000;
/** Names are kept longer than threads, but not for ever. */
const FORGET_MS = 24 * 3_600_000;
const MOST_SESSIONS = 5_000;

/** The sessions that spoke lately, those that spoke last at the end. */
export class Sessions {
  readonly #surroundings: Surroundings;
  readonly #byKey = new Map<string, Session>();
  /** Those with a worker, in the same order. */
  readonly #working = new Set<Session>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  get count(): number {
    return this.#byKey.size;
  }

  get workers(): number {
    return this.#working.size;
  }

  /** Why extensions of sessions that spoke lately do not run, each reason once. */
  troubles(now = Date.now()): string[] {
    const lately = [...this.#byKey.values()].filter(({ usedAt }) => now - usedAt < TROUBLE_MS);
    return [...new Set(lately.flatMap(({ trouble }) => trouble ?? []))];
  }

  get busy(): boolean {
    return [...this.#working].some(({ busy }) => busy);
  }

  /** The session a hook speaks for. */
  find(agent: SessionOwner, reading: Reading, cwd: string): Session {
    const key = keyOf(agent.name, reading.sessionId);
    const known = this.#byKey.get(key);
    const moved = known !== undefined && movesTo(known, reading, cwd);
    if (moved) this.#rest(known);
    const session = known && !moved ? known : this.#open(agent, reading, cwd);
    session.usedAt = Date.now();
    // The end of the map is where the latest ones are.
    this.#byKey.delete(key);
    this.#byKey.set(key, session);
    if (this.#byKey.size > MOST_SESSIONS) this.#forgetOldest();
    return session;
  }

  /** The one that was heard of last of those for which this is true. */
  latest(isWanted: (session: Session) => boolean): Session | undefined {
    let found: Session | undefined;
    for (const session of this.#byKey.values()) if (isWanted(session)) found = session;
    return found;
  }

  #open(agent: SessionOwner, reading: Reading, cwd: string): Session {
    const session = new Session(agent, reading, cwd, this.#surroundings);
    this.#surroundings.onNew(session);
    return session;
  }

  /** Undefined for a session that has not spoken to this daemon. */
  get({ agent, session }: { readonly agent: string; readonly session: string }) {
    return this.#byKey.get(keyOf(agent, session));
  }

  /** To be called after a session may have got a worker. */
  used(session: Session): void {
    this.#working.delete(session);
    if (!session.hasWorker) return;
    this.#working.add(session);
    if (this.#working.size <= MOST_WORKERS) return;
    for (const oldest of this.#working) {
      if (oldest.busy || oldest === session) continue;
      this.#rest(oldest);
      return;
    }
  }

  /** Ends workers nobody has needed for long, and forgets sessions after longer. */
  rest(now = Date.now()): void {
    for (const [key, { usedAt, hasWorker }] of this.#byKey) {
      if (now - usedAt < FORGET_MS) break;
      if (!hasWorker) this.#byKey.delete(key);
    }
    for (const session of this.#working) {
      if (now - session.usedAt < IDLE_MS) return;
      if (!session.busy) this.#rest(session);
    }
  }

  /** Ends all workers; they come back, with what is on disk then, when they are needed. */
  async endAll(): Promise<void> {
    const working = [...this.#working];
    this.#working.clear();
    await Promise.all(working.map((session) => session.end()));
  }

  #rest(session: Session): void {
    this.#working.delete(session);
    void session.end();
  }

  #forgetOldest(): void {
    for (const [key, session] of this.#byKey) {
      if (session.hasWorker) continue;
      this.#byKey.delete(key);
      return;
    }
  }
}

/** The agent was started in these: its user chose the folder. */
const CHOSEN: ReadonlySet<string> = new Set(["startup", "resume"]);

/**
 * Whether the user took a session up again in another project, whose gates hold there. A folder
 * that changes in the middle does not count: with it an agent could leave its gates behind.
 */
function movesTo(session: Session, { start }: Reading, cwd: string): boolean {
  if (!start || !CHOSEN.has(start.reason)) return false;
  return session.cwd !== cwd && projectRoot(session.cwd) !== projectRoot(cwd);
}

/** Neither a name nor an id can look like a part of the other. */
function keyOf(agent: string, sessionId: string): string {
  return `${agent} ${sessionId}`;
}
