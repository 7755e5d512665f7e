import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentNamed } from "../agents/index.ts";
import { openRepo, type Repo } from "../git/index.ts";
import type { HookRecord } from "./recorder.ts";
import type { StateStore } from "./session/state-store.ts";

interface Parts {
  readonly recordedAt: (folder: string) => Promise<Repo | undefined>;
  readonly isRecorded: (repo: Repo) => Promise<boolean>;
  readonly statesOf: (repo: Repo) => StateStore;
}

/** Where each session is at home: where it started or was asked last, wherever its agent goes. */
export class SessionHomes {
  readonly #parts: Parts;
  readonly #homes = new Map<string, Repo>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  known(agent: string, sessionId: string): Repo | undefined {
    return this.#homes.get(keyOf(agent, sessionId));
  }

  forgetSession(sessionId: string): void {
    for (const key of [...this.#homes.keys()]) {
      if (key.endsWith(`\0${sessionId}`)) this.#homes.delete(key);
    }
  }

  forgetRepository(commonDir: string): void {
    for (const [key, home] of this.#homes) {
      if (home.commonDir === commonDir) this.#homes.delete(key);
    }
  }

  /** Where a hook belongs; undefined if that is not recorded. */
  async of(record: HookRecord): Promise<Repo | undefined> {
    const { agent, reading, cwd, events } = record;
    if (!reading || !agentNamed(agent)) return undefined;
    const key = keyOf(agent, reading.sessionId);
    const home = this.#homes.get(key);
    // Into a repository that was moved or deleted since, nothing is written: it would be made anew.
    const known = home && existsSync(join(home.commonDir, "HEAD")) ? home : undefined;
    const starts = events.includes("session_start");
    const opens = starts || (events.includes("agent_start") && !reading.unasked);
    const folder = reading.cwd ?? cwd;
    const isHere = known && !opens && existsSync(known.workTree ?? known.gitDir);
    const found = isHere || folder === undefined ? undefined : await this.#parts.recordedAt(folder);
    // A work tree that is gone may have another name now. If it was deleted, its turn still ends there.
    const moves = found && (!known || opens || found.gitDir === known.gitDir);
    // A prompt from a folder that is not recorded: the agent went there, and its project did not.
    if (known && !moves && !starts)
      return (await this.#parts.isRecorded(known)) ? known : undefined;
    this.#homes.delete(key);
    if (!found) return undefined;
    const started = () => this.#startedIn(found, agent, reading.sessionId);
    // What cannot be read there is said where it belongs: when the hook is recorded.
    const repo = opens ? found : await started().catch(() => found);
    this.#homes.set(key, repo);
    return repo;
  }

  /** An agent may have gone to another work tree before this process saw it for the first time. */
  async #startedIn(here: Repo, agent: string, sessionId: string): Promise<Repo> {
    const known = this.#parts.statesOf(here).latest(agent, sessionId);
    if (!known || known.work_tree === here.workTree) return here;
    const there = await openRepo(known.work_tree);
    return there?.commonDir === here.commonDir ? there : here;
  }
}

function keyOf(agent: string, sessionId: string): string {
  return `${agent}\0${sessionId}`;
}
