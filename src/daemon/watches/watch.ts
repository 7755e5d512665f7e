import { existsSync } from "node:fs";
import type { SessionChange, WatchedFolder, Watcher } from "../../agents/index.ts";
import { leadsOutside } from "../../files/index.ts";
import type { Log } from "../log.ts";
import { FileWatch } from "./file-watch.ts";

export interface WatchParts {
  readonly folder: WatchedFolder;
  readonly watcher: Watcher;
  readonly log: Log;
  /** Hands a change over; false if it could not be kept. */
  readonly tell: (folder: WatchedFolder, change: SessionChange) => Promise<boolean>;
  readonly load: (folder: WatchedFolder) => Readonly<Record<string, unknown>>;
  readonly save: (folder: WatchedFolder, states: Readonly<Record<string, unknown>>) => void;
  /** How long nothing has to be written before a turn counts as over. */
  readonly quietMs: number;
}

/** What is written in a few pieces is looked at once. */
const GATHER_MS = 80;

/** The files of one agent in one folder. */
export class Watch {
  readonly #parts: WatchParts;
  readonly #files = new Map<string, FileWatch>();
  #states: Record<string, unknown>;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** When a file counts as quiet, if nothing is written to it until then. */
  readonly #quietAt = new Map<string, number>();
  #work: Promise<void> = Promise.resolve();
  #isOver = false;
  #warned: string | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#states = { ...parts.load(parts.folder) };
    for (const path of Object.keys(parts.folder.since)) {
      this.#files.set(path, new FileWatch(path, () => this.#later(path, GATHER_MS, false)));
    }
  }

  get folder(): WatchedFolder {
    return this.#parts.folder;
  }

  /** The folder is there. */
  get isThere(): boolean {
    return existsSync(this.folder.project);
  }

  /** What the system did not tell of is found out now. */
  check(): void {
    for (const file of this.#files.values()) file.check();
  }

  /** Resolves when all that is in the files by now was handed over. */
  async look(): Promise<void> {
    for (const path of this.#files.keys()) void this.#look(path, false);
    await this.#work;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    for (const file of this.#files.values()) file.close();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#work;
  }

  /** One timer for a file: whatever is written meanwhile is seen by the look that comes. */
  #later(path: string, ms: number, isQuiet: boolean): void {
    if (this.#isOver) return;
    clearTimeout(this.#timers.get(path));
    const timer = setTimeout(() => {
      this.#timers.delete(path);
      void this.#look(path, isQuiet);
    }, ms);
    this.#timers.set(path, timer.unref());
  }

  /** One after the other: each goes on from where the one before got to. */
  #look(path: string, isQuiet: boolean): Promise<void> {
    this.#work = this.#work.then(async () => {
      try {
        await this.#read(path, isQuiet);
      } catch (error) {
        this.#warn(`${path} could not be looked at`, error);
      }
    });
    return this.#work;
  }

  async #read(path: string, isQuiet: boolean): Promise<void> {
    const { folder, watcher, tell, save, quietMs } = this.#parts;
    if (this.#isOver) return;
    const target = path.startsWith(folder.project) ? leadsOutside(path, folder.project) : undefined;
    if (target !== undefined) {
      // Whoever wrote the folder made the link: what is elsewhere is none of its business.
      this.#warn(`${path} is a link to ${target}, outside of the folder, and is not watched`);
      return;
    }
    const before = this.#states[path];
    const since = folder.since[path] ?? 0;
    const seen = await watcher.changed(path, before, { since, isQuiet });
    for (const change of seen.changes) {
      // The next look reads it once more; what was kept already is known by its id.
      if (!(await tell(folder, change))) return this.#later(path, quietMs, isQuiet);
    }
    const isNews = JSON.stringify(seen.state) !== JSON.stringify(before);
    if (isNews) {
      this.#states = { ...this.#states, [path]: seen.state };
      save(folder, this.#states);
    }
    if (!seen.isWaiting) return void this.#quietAt.delete(path);
    // A look that finds nothing new does not make the wait longer.
    const known = isNews ? undefined : this.#quietAt.get(path);
    const quietAt = known ?? performance.now() + quietMs;
    this.#quietAt.set(path, quietAt);
    this.#later(path, Math.max(0, quietAt - performance.now()), true);
  }

  #warn(text: string, error?: unknown): void {
    if (this.#warned === text) return;
    this.#warned = text;
    if (error === undefined) this.#parts.log.warn(text);
    else this.#parts.log.failed(text, error);
  }
}
