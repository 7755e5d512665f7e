import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderBelow, storeRefusal } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";
import { isRecord } from "../../values/index.ts";
import { fileSafe } from "../file-safe.ts";
import { locked } from "./list-lock.ts";
import { leftByTurn } from "./runs.ts";
import type { SessionState } from "./state.ts";

/** Calls that change files, so that tests can let each one fail or be the last. */
export interface StateIO {
  write(path: string, text: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

const stateIO: StateIO = {
  write: (path, text) => writeFileSync(path, text, { mode: 0o600 }),
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
};

/** How many sessions are remembered that no commit can belong to any more. */
const MOST_SETTLED = 20;

/**
 * States of the sessions of one repository, a file each. Sessions that are active or have work
 * that no commit took up are listed in one more file: git hooks look at it alone, so a commit costs
 * the same whatever lies around from the past.
 */
export class StateStore {
  readonly #home: string;
  readonly #dir: string;
  readonly #pendingFile: string;
  readonly #io: StateIO;
  #live: Map<string, SessionState> | undefined;
  #open: Map<string, SessionState> | undefined;
  readonly #settled = new Map<string, SessionState>();

  /** `dir`: Seam's folder in the repository's common git folder. */
  constructor(dir: string, io: StateIO = stateIO) {
    this.#home = dirname(dir);
    this.#dir = join(dir, "sessions");
    this.#pendingFile = join(dir, "pending");
    this.#io = io;
  }

  /**
   * What is known of a session in one work tree; without a name, in the main one. Throws if a newer Seam wrote it:
   * it must not be taken for a session that begins.
   */
  get(agent: string, session_id: string, worktree_id = ""): SessionState | undefined {
    const found = this.#at(fileOf({ agent, session_id, worktree_id }));
    if (found?.worktree_id === worktree_id) return found;
    const inMain = fileOf({ agent, session_id, worktree_id: "" });
    const main = found ?? this.#at(inMain);
    if (!main || main.worktree_id === "") return undefined;
    // Version 0.1.0 had one file for a session, whatever its work tree was.
    this.#remove(inMain);
    this.put(main);
    return main.worktree_id === worktree_id ? main : undefined;
  }

  /** The same in the work tree where it was at home last. Costs a look at the names of all files. */
  latest(agent: string, sessionId: string): SessionState | undefined {
    const folder = fileSafe(agent);
    const start = fileSafe(sessionId);
    return list(join(this.#dir, folder))
      .filter((file) => file === `${start}.json` || file.startsWith(`${start}@`))
      .flatMap((file) => this.#at(join(folder, file)) ?? [])
      .filter(({ works_in }) => works_in === undefined)
      .sort((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1))[0];
  }

  /** Throws if a newer Seam wrote it. */
  #at(name: string): SessionState | undefined {
    const known = this.#liveOnes().get(name) ?? this.#read(name);
    if (known) return known;
    const path = join(this.#dir, name);
    const refusal = storeRefusal("session", path, versionIn(path));
    if (refusal) throw refusal;
    return undefined;
  }

  put(state: SessionState): void {
    const name = fileOf(state);
    const live = this.#liveOnes();
    const wasListed = live.has(name);
    if (state.phase === "ended") this.#open?.delete(name);
    else this.#open?.set(name, state);
    // Listed first: a crash in between lists one too many, never one too few.
    if (isLive(state)) {
      live.set(name, state);
      if (!wasListed || !existsSync(this.#pendingFile)) this.#writeList();
    }
    this.#replace(join(this.#dir, name), `${JSON.stringify(state, null, 2)}\n`);
    this.#noteSettled(name, state);
    if (!isLive(state) && wasListed) {
      live.delete(name);
      this.#writeList();
    }
  }

  /** Sessions a commit can belong to. */
  live(): SessionState[] {
    return [...this.#liveOnes().values()];
  }

  /** The folder of a work tree may have been renamed while work of its sessions waits for a commit. */
  follow({ worktreeId, workTree }: Pick<Repo, "worktreeId" | "workTree">): void {
    if (workTree === undefined) return;
    for (const state of this.live()) {
      if (state.worktree_id !== worktreeId || state.work_tree === workTree) continue;
      if (!existsSync(state.work_tree)) this.put({ ...state, work_tree: workTree });
    }
  }

  /** The same, and those that were among them until a moment ago, as far as this process knows. */
  recent(): SessionState[] {
    return [...this.live(), ...this.#settled.values()];
  }

  #noteSettled(name: string, state: SessionState): void {
    this.#settled.delete(name);
    if (isLive(state)) return;
    this.#settled.set(name, state);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > MOST_SETTLED && oldest !== undefined) this.#settled.delete(oldest);
  }

  /** Sessions that have not ended. The first call costs a read of every file. */
  open(): SessionState[] {
    if (!this.#open) {
      const open = this.all().filter(({ phase }) => phase !== "ended");
      this.#open = new Map(open.map((state) => [fileOf(state), state]));
    }
    return [...this.#open.values()];
  }

  /** All that are there, in no order. Costs a read of every file. */
  all(): SessionState[] {
    const states: SessionState[] = [];
    for (const agent of list(this.#dir)) {
      for (const file of list(join(this.#dir, agent))) {
        const state = file.endsWith(".json") ? this.#read(join(agent, file)) : undefined;
        if (state) states.push(state);
      }
    }
    return states;
  }

  /** The file of a session. */
  pathOf(state: SessionState): string {
    return join(this.#dir, fileOf(state));
  }

  remove(state: SessionState): void {
    this.#remove(fileOf(state));
  }

  #remove(name: string): void {
    this.#io.remove(join(this.#dir, name));
    this.#open?.delete(name);
    this.#settled.delete(name);
    if (this.#liveOnes().delete(name)) this.#writeList();
  }

  /** Takes off the list what is on it without a reason: a session whose file is gone, say. */
  tidy(): void {
    for (const [name, state] of this.#liveOnes()) if (!isLive(state)) this.#live?.delete(name);
    const names = readLines(this.#pendingFile);
    const left = names.filter((name) => {
      const state = this.#liveOnes().get(name) ?? this.#read(name);
      return state && isLive(state);
    });
    if (left.length === names.length && left.length > 0) return;
    if (left.length > 0) this.#replace(this.#pendingFile, `${left.join("\n")}\n`);
    else if (this.#liveOnes().size === 0) this.#io.remove(this.#pendingFile);
  }

  #liveOnes(): Map<string, SessionState> {
    if (this.#live) return this.#live;
    const names = readLines(this.#pendingFile);
    this.#live = new Map();
    for (const name of names) {
      const state = this.#read(name);
      if (state && isLive(state)) this.#live.set(name, state);
    }
    // The list is never empty unless something damaged it: then the sessions themselves tell.
    if (names.length === 0 && existsSync(this.#pendingFile)) {
      for (const state of this.all().filter(isLive)) {
        this.#live.set(fileOf(state), state);
      }
    }
    return this.#live;
  }

  #writeList(): void {
    locked(`${this.#pendingFile}.lock`, () => {
      const names = [...this.#liveOnes().keys(), ...this.#listedByOthers()];
      if (names.length === 0) this.#io.remove(this.#pendingFile);
      else this.#replace(this.#pendingFile, `${names.join("\n")}\n`);
    });
  }

  /** Another daemon may have sessions in the same repository. */
  #listedByOthers(): string[] {
    const unknown = readLines(this.#pendingFile).filter((name) => !this.#liveOnes().has(name));
    return unknown.filter((name) => {
      const state = this.#read(name);
      return state !== undefined && isLive(state);
    });
  }

  #replace(path: string, text: string): void {
    const temporary = `${path}.${process.pid}.tmp`;
    makeFolderBelow(this.#home, dirname(path));
    this.#io.write(temporary, text);
    this.#io.rename(temporary, path);
  }

  /** A file that is damaged counts as none: the session starts anew, checkpoints are in git. */
  #read(name: string): SessionState | undefined {
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(this.#dir, name), "utf8"));
      return isState(parsed) ? parsed : undefined;
    } catch {
      return undefined;
    }
  }
}

export function isLive(state: SessionState): boolean {
  const { phase, pending } = state;
  return phase === "active" || Object.keys(pending.files).length > 0 || mayWriteYet(state);
}

/** What writes later than this after the turn that started it is no longer waited for. */
const LEFT_MS = 60 * 60_000;

/** Whether a program that the last turn left behind may still write files. */
function mayWriteYet(state: SessionState): boolean {
  const isRecent = Date.now() - Date.parse(state.turn_ended_at ?? "") < LEFT_MS;
  return isRecent && leftByTurn(state).size > 0;
}

/** A session that goes on in another work tree leaves what it did in the first one there. */
function fileOf({
  agent,
  session_id,
  worktree_id,
}: Pick<SessionState, "agent" | "session_id" | "worktree_id">): string {
  const where = worktree_id === "" ? "" : `@${fileSafe(worktree_id)}`;
  return join(fileSafe(agent), `${fileSafe(session_id)}${where}.json`);
}

function isState(value: unknown): value is SessionState {
  if (typeof value !== "object" || value === null) return false;
  const { version, session_id, agent, work_tree, ...rest } = value as Partial<SessionState>;
  const { pending, phase, turn_checkpoint_ids, token_usage, seq } = rest;
  return (
    version === 1 &&
    [session_id, agent, work_tree, phase].every((text) => typeof text === "string") &&
    Number.isSafeInteger(seq) &&
    [pending, pending?.files, pending?.token_usage, token_usage].every(isRecord) &&
    [turn_checkpoint_ids, pending?.turns, pending?.skill_events, pending?.blocked_calls].every(
      Array.isArray,
    )
  );
}

/** The version of a state that may be any; undefined if it says none. */
function versionIn(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(value) ? (value as { version?: unknown }).version : undefined;
  } catch {
    return undefined;
  }
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
