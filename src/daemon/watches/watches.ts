import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Agent,
  type SessionChange,
  type WatchedFolder,
  watchedFolders,
  watchedIn,
} from "../../agents/index.ts";
import { isInside, LARGE_FILE, readRegularText, replaceFile } from "../../files/index.ts";
import type { HookService } from "../hooks/hook-service.ts";
import { parseObject } from "../journal/entry.ts";
import type { Log } from "../log.ts";
import { Watch } from "./watch.ts";

interface Parts {
  /** The user's Seam folder. */
  readonly home: string;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly hookService: () => HookService;
  readonly log: Log;
  readonly quietMs?: number;
}

/** Aider asks a small model for the message of a commit before it commits. */
const QUIET_MS = 3_000;
/** Folders whose files are looked at in one round, however many there are. */
const MOST_CHECKED = 100;

/** The folders in which agents without hooks are watched. */
export class Watches {
  readonly #parts: Parts;
  readonly #byKey = new Map<string, Watch>();
  #listed: string | undefined;
  #next = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Folders that are there and watched. */
  get count(): number {
    return [...this.#byKey.values()].filter(({ isThere }) => isThere).length;
  }

  /** Takes up what the user enabled, lets go of what was disabled, and checks some of the files. */
  check(): void {
    this.#readList();
    const all = [...this.#byKey.values()];
    const some = Math.min(MOST_CHECKED, all.length);
    for (let n = 0; n < some; n++) all[this.#next++ % all.length]?.check();
  }

  /** Resolves when all that agents wrote here by now was handed over. */
  async lookIn(folder: string): Promise<void> {
    const near = [...this.#byKey.values()].filter(({ folder: { project } }) =>
      isNear(project, folder),
    );
    await Promise.all(near.map((watch) => watch.look()));
  }

  async end(): Promise<void> {
    await Promise.all([...this.#byKey.values()].map((watch) => watch.end()));
  }

  #readList(): void {
    const { home } = this.#parts;
    // The folder changes when a file is made in it, or removed.
    const print = printOf(watchedIn(home));
    if (print === this.#listed) return;
    this.#listed = print;
    const listed = new Map(watchedFolders(home).map((folder) => [folder.key, folder]));
    for (const [key, watch] of this.#byKey) {
      if (listed.has(key)) continue;
      this.#byKey.delete(key);
      void watch.end().then(() => rmSync(this.#stateFile(watch.folder), { force: true }));
    }
    for (const [key, folder] of listed) if (!this.#byKey.has(key)) this.#add(folder);
  }

  #add(folder: WatchedFolder): void {
    const { agents, log, quietMs = QUIET_MS } = this.#parts;
    const watcher = agents.get(folder.agent)?.watcher;
    if (!watcher) return;
    const watch = new Watch({
      folder,
      watcher,
      log,
      quietMs,
      tell: (where, change) => this.#tell(where, change),
      load: (where) => this.#load(where),
      save: (where, states) => this.#save(where, states),
    });
    this.#byKey.set(folder.key, watch);
    watch.check();
  }

  /** As a hook of the agent: the journal, extensions and the record get it as they get all others. */
  async #tell({ agent, project }: WatchedFolder, change: SessionChange): Promise<boolean> {
    const { id, event, at } = change;
    const text = JSON.stringify({ ...change, cwd: project });
    const incoming = { id, at, agent, hook: event, cwd: project, text };
    const handled = await this.#parts.hookService().handle(incoming);
    handled.after();
    return handled.kept;
  }

  #stateFile({ key }: WatchedFolder): string {
    // In a folder below: the one with the list changes only when the list does.
    return join(watchedIn(this.#parts.home), "seen", `${key}.json`);
  }

  #save(folder: WatchedFolder, states: Readonly<Record<string, unknown>>): void {
    const file = this.#stateFile(folder);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, `${JSON.stringify(states)}\n`);
  }

  #load(folder: WatchedFolder): Readonly<Record<string, unknown>> {
    try {
      return parseObject(readRegularText(this.#stateFile(folder), LARGE_FILE)) ?? {};
    } catch {
      return {};
    }
  }
}

/** Whether one of two folders is in the other. */
function isNear(one: string, other: string): boolean {
  return isInside(one, other) || isInside(other, one);
}

function printOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats && `${stats.ino}:${stats.mtimeMs}`;
}
