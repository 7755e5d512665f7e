import type { Reading } from "../../agents/index.ts";
import { projectRoot } from "../../settings/index.ts";
import { Session, type SessionOwner, type Surroundings } from "./session.ts";
import type { SessionFolders } from "./session-folders.ts";

/** A session that was silent for so long gets its worker back when it speaks again. */
const IDLE_MS = 30 * 60_000;
/** Extensions cost memory: beyond this, the session that was silent longest unloads its own. */
const MOST_WORKERS = 400;
/** A session that found no thread and has been silent since is most likely over. */
const TROUBLE_MS = 10 * 60_000;
/** Sessions are remembered longer than their threads, but not for ever. */
const FORGET_MS = 24 * 3_600_000;
const MOST_SESSIONS = 5_000;

/** The sessions that spoke lately, those that spoke last at the end. */
export class Sessions {
  readonly #surroundings: Surroundings;
  readonly #folders: SessionFolders;
  readonly #byKey = new Map<string, Session>();
  /** Those with a worker, in the same order. */
  readonly #working = new Set<Session>();

  constructor(surroundings: Surroundings, folders: SessionFolders) {
    this.#surroundings = surroundings;
    this.#folders = folders;
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

  /** The session a hook speaks for. `pid`: the process of the agent, where it is known. */
  find(agent: SessionOwner, reading: Reading, cwd: string, pid?: number): Session {
    const key = keyOf(agent.name, reading.sessionId);
    const known = this.#byKey.get(key);
    const before = known && !reading.start ? undefined : this.#before(agent, key, cwd, pid);
    const chosen = isChosen(reading, before);
    const moved = known !== undefined && chosen && leavesProject(known, cwd);
    if (moved) this.#rest(known);
    const folder = chosen ? cwd : (this.#folders.of(key) ?? before ?? cwd);
    const session = known && !moved ? known : this.#open(agent, reading, folder);
    session.usedAt = Date.now();
    if (pid !== undefined) {
      session.pid = pid;
      this.#folders.noteProcess(key, pid, cwd);
    }
    // The end of the map is where the latest ones are.
    this.#byKey.delete(key);
    this.#byKey.set(key, session);
    if (this.#byKey.size > MOST_SESSIONS) this.#forgetOldest();
    return session;
  }

  /** The session that was heard of last among those for which `isWanted` is true. */
  latest(isWanted: (session: Session) => boolean): Session | undefined {
    let found: Session | undefined;
    for (const session of this.#byKey.values()) if (isWanted(session)) found = session;
    return found;
  }

  /** Where the session began that the same process had in this folder before the one of `key`. */
  #before({ name }: SessionOwner, key: string, cwd: string, pid: number | undefined) {
    if (pid === undefined) return undefined;
    const isAnother = (its: string) => its !== key && its.startsWith(keyOf(name, ""));
    return this.#folders.before(pid, cwd, isAnother);
  }

  #open(agent: SessionOwner, reading: Reading, folder: string): Session {
    this.#folders.note(keyOf(agent.name, reading.sessionId), folder);
    const session = new Session(agent, reading, folder, this.#surroundings);
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

  /** Takes a session out of what is kept on disk for the daemons to come. */
  forget(sessionId: string): void {
    this.#folders.forget((key) => key.slice(key.indexOf(" ") + 1) === sessionId);
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

/**
 * Whether the user chose the folder: by starting the agent in it, or by taking a session up again there.
 * A process that takes one up after another session did not choose: it is where that one had gone.
 */
function isChosen({ start }: Reading, before: string | undefined): boolean {
  if (start?.reason === "startup") return true;
  return start?.reason === "resume" && before === undefined;
}

/**
 * Whether a folder is another project, whose gates hold there. A folder that changes in the middle of a
 * session does not count: with it an agent could leave its gates behind.
 */
function leavesProject({ cwd: began }: Session, cwd: string): boolean {
  return began !== cwd && projectRoot(began) !== projectRoot(cwd);
}

/** Neither a name nor an id can look like a part of the other. */
function keyOf(agent: string, sessionId: string): string {
  return `${agent} ${sessionId}`;
}
