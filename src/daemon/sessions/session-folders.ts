import { appendFileSync, existsSync } from "node:fs";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";

/** As many as the daemon remembers while it runs. */
const MOST = 5_000;

/**
 * In which folder each session began, also for the daemons to come. An agent may go to another folder in
 * the middle of a session; a daemon that is started then must not take that folder for the project.
 */
export class SessionFolders {
  readonly #file: string;
  #known: Map<string, string> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined if the session was never heard of, or its folder is gone. */
  of(session: string): string | undefined {
    const folder = this.#all().get(session);
    return folder !== undefined && existsSync(folder) ? folder : undefined;
  }

  note(session: string, folder: string): void {
    const all = this.#all();
    if (all.get(session) === folder) return;
    all.set(session, folder);
    try {
      appendFileSync(this.#file, lineOf(session, folder), { mode: 0o600 });
    } catch {
      // A folder that cannot be written to is said elsewhere; this daemon knows it all the same.
    }
  }

  /** Nothing is left of the sessions that `isMeant` names. */
  forget(isMeant: (session: string) => boolean): void {
    const all = this.#all();
    const meant = [...all.keys()].filter(isMeant);
    if (meant.length === 0) return;
    for (const session of meant) all.delete(session);
    replaceFile(this.#file, textOf(all));
  }

  #all(): Map<string, string> {
    this.#known ??= this.#read();
    return this.#known;
  }

  #read(): Map<string, string> {
    const lines = (readText(this.#file) ?? "").split("\n").flatMap(parse);
    const kept = new Map(lines.slice(-MOST));
    if (lines.length <= 2 * MOST) return kept;
    try {
      replaceFile(this.#file, textOf(kept));
    } catch {
      // It is shortened another time.
    }
    return kept;
  }
}

function textOf(folders: ReadonlyMap<string, string>): string {
  return [...folders].map((pair) => lineOf(...pair)).join("");
}

function lineOf(session: string, folder: string): string {
  return `${JSON.stringify({ session, folder })}\n`;
}

function parse(line: string): [string, string][] {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return [];
    const { session, folder } = value;
    return typeof session === "string" && typeof folder === "string" ? [[session, folder]] : [];
  } catch {
    return [];
  }
}
