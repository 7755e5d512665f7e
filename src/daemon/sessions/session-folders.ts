import { appendFileSync, existsSync } from "node:fs";
import { processStat, readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";

/** As many as the daemon remembers while it runs. */
const MOST = 5_000;
/** The file is written anew, with what holds, once it has so many lines. */
const MOST_LINES = 4 * MOST;

/** Where a session is: what was noted of it last. */
interface Whereabouts {
  /** The folder in which it began. */
  readonly folder: string;
  /** The agent's process, where its hooks tell, and when that was started, where the system tells. */
  readonly pid?: number;
  readonly started?: string;
  /** Where the agent was when that process spoke last. */
  readonly at?: string;
}

/**
 * In which folder each session began, and where it is, also for the daemons to come. An agent may go to
 * another folder in the middle of a session; a daemon that is started then must not take that folder for
 * the project, neither for this session nor for the next one of the same process.
 */
export class SessionFolders {
  readonly #file: string;
  #known: Map<string, Whereabouts> | undefined;
  #lines = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined if the session was never heard of, or its folder is gone. */
  of(session: string): string | undefined {
    return folderThatIs(this.#all().get(session));
  }

  /**
   * Where the session began that the same process of an agent had before, and with which it went to the
   * folder `at`. `isMeant` tells that agent's other sessions.
   */
  before(pid: number, at: string, isMeant: (session: string) => boolean): string | undefined {
    const started = processStat(pid)?.started;
    let found: Whereabouts | undefined;
    for (const [session, its] of this.#all()) {
      const isSame = its.pid === pid && its.at === at && !differ(its.started, started);
      if (isSame && isMeant(session)) found = its;
    }
    return folderThatIs(found);
  }

  /** Notes where a session began. */
  note(session: string, folder: string): void {
    const known = this.#all().get(session);
    if (known?.folder !== folder) this.#put(session, { ...known, folder });
  }

  /** Notes where the process of a session is now. */
  noteProcess(session: string, pid: number, at: string): void {
    const known = this.#all().get(session);
    if (!known || (known.pid === pid && known.at === at)) return;
    const { folder } = known;
    const started = known.pid === pid ? known.started : processStat(pid)?.started;
    this.#put(session, { folder, pid, ...(started !== undefined && { started }), at });
  }

  /** Nothing is left of the sessions that `isMeant` names. */
  forget(isMeant: (session: string) => boolean): void {
    const all = this.#all();
    const meant = [...all.keys()].filter(isMeant);
    if (meant.length === 0) return;
    for (const session of meant) all.delete(session);
    this.#replace(all);
  }

  #put(session: string, whereabouts: Whereabouts): void {
    const all = this.#all();
    // The end of the map is what was noted last.
    all.delete(session);
    all.set(session, whereabouts);
    try {
      if (this.#lines >= MOST_LINES) {
        this.#known = latest(all);
        this.#replace(this.#known);
        return;
      }
      appendFileSync(this.#file, lineOf(session, whereabouts), { mode: 0o600 });
      this.#lines++;
    } catch {
      // A folder that cannot be written to is said elsewhere; this daemon knows it all the same.
    }
  }

  #all(): Map<string, Whereabouts> {
    this.#known ??= this.#read();
    return this.#known;
  }

  #read(): Map<string, Whereabouts> {
    const lines = (readText(this.#file) ?? "").split("\n").flatMap(parse);
    this.#lines = lines.length;
    const all = new Map<string, Whereabouts>();
    for (const [session, whereabouts] of lines) {
      all.delete(session);
      all.set(session, whereabouts);
    }
    return latest(all);
  }

  #replace(all: ReadonlyMap<string, Whereabouts>): void {
    replaceFile(this.#file, [...all].map((pair) => lineOf(...pair)).join(""));
    this.#lines = all.size;
  }
}

function latest(all: ReadonlyMap<string, Whereabouts>): Map<string, Whereabouts> {
  return new Map([...all].slice(-MOST));
}

function folderThatIs(known: Whereabouts | undefined): string | undefined {
  return known && existsSync(known.folder) ? known.folder : undefined;
}

/** Where the system does not tell when a process was started, its number has to do. */
function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function lineOf(session: string, whereabouts: Whereabouts): string {
  return `${JSON.stringify({ session, ...whereabouts })}\n`;
}

function parse(line: string): [string, Whereabouts][] {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return [];
    const { session, folder, pid, started, at } = value;
    if (typeof session !== "string" || typeof folder !== "string") return [];
    if (typeof pid !== "number" || typeof at !== "string") return [[session, { folder }]];
    const since = typeof started === "string" ? { started } : {};
    return [[session, { folder, pid, ...since, at }]];
  } catch {
    return [];
  }
}
