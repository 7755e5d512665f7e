import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  atRepo,
  commitFacts,
  listRefs,
  type ObjectStore,
  type Repo,
  runGit,
  updateRef,
} from "../../git/index.ts";
import { TURNS_PREFIX } from "../checkpoint/metadata.ts";
import { isAlive } from "../process-tree.ts";
import type { RepoRecord } from "../repo-record.ts";
import { brokenOff } from "../rewind/rewind.ts";
import { parseSavedMessage, REWIND_PREFIX } from "../rewind/saved.ts";
import { seamDirOf } from "../seam-dir.ts";
import type { SessionState } from "../session/state.ts";
import { isLive } from "../session/state-store.ts";
import { parseSnapshotMessage, turnsRef } from "../snapshot/take-snapshot.ts";

export interface CleanOptions {
  /** States of sessions that are over and have nothing left to commit. */
  readonly sessions: boolean;
  /** Snapshots of turns, and of what was there before rewinds. */
  readonly turns: boolean;
  /** Only what was not touched for this long, for each of the two. */
  readonly sessionAgeMs?: number;
  readonly turnAgeMs?: number;
  readonly dryRun?: boolean;
  readonly now?: number;
}

export interface Cleaned {
  readonly sessions: readonly string[];
  /** References that were deleted; git frees their objects at its next clean-up. */
  readonly refs: readonly string[];
  readonly leftovers: readonly string[];
  /** Of files that are gone now. */
  readonly fileBytes: number;
  /** Of objects that nothing leads to any more. */
  readonly objectBytes: number;
}

/** Removes what the record does not need any more. Never a checkpoint, never pending work. */
export async function clean(record: RepoRecord, options: CleanOptions): Promise<Cleaned> {
  const { now = Date.now(), dryRun = false } = options;
  const { states, repo, store } = record;
  const isOld = (at: string | undefined, age: number | undefined) =>
    age === undefined || now - Date.parse(at ?? "") > age;
  const all = states.all();
  const over = all.filter(
    (state) => isOver(state, now) && isOld(state.last_seen_at, options.sessionAgeMs),
  );
  const sessions = options.sessions ? over : [];
  const busy = new Set(
    all.filter((state) => !isOver(state, now)).map((one) => turnsRef(one.session_id)),
  );
  const refs: { name: string; id: string }[] = [];
  if (options.turns) {
    for (const { name, id, at } of await ownRefs(store)) {
      if (!busy.has(name) && isOld(at, options.turnAgeMs)) refs.push({ name, id });
    }
  }
  const leftovers = leftoversOf(record, now);
  const objectBytes = await onlyIn(repo, refs);
  let fileBytes = 0;
  for (const path of [...sessions.map((one) => states.pathOf(one)), ...leftovers]) {
    fileBytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  if (!dryRun) {
    for (const state of sessions) states.remove(state);
    for (const path of leftovers) rmSync(path, { force: true });
    for (const { name, id } of refs) await updateRef(repo, name, null, id);
  }
  return {
    sessions: sessions.map(({ session_id }) => session_id),
    refs: refs.map(({ name }) => name),
    leftovers,
    fileBytes,
    objectBytes,
  };
}

/** A session without a process to look at is over when it was silent for this long. */
const SILENT_MS = 12 * 60 * 60 * 1000;

/** Nothing will come of it any more, unless the user takes it up again. */
function isOver(state: SessionState, now: number): boolean {
  if (isLive(state) || state.turn_checkpoint_ids.length > 0) return false;
  if (state.phase === "ended") return true;
  if (state.owner) return !isAlive(state.owner);
  return now - Date.parse(state.last_seen_at) > SILENT_MS;
}

/** References with snapshots; what others put there stays. */
async function ownRefs(store: ObjectStore): Promise<{ name: string; id: string; at: string }[]> {
  const found: { name: string; id: string; at: string }[] = [];
  for (const [prefix, parse] of [
    [TURNS_PREFIX, parseSnapshotMessage],
    [REWIND_PREFIX, parseSavedMessage],
  ] as const) {
    for (const { name, id } of await listRefs(store.repo, prefix)) {
      const commit = id === undefined ? undefined : await commitFacts(store, id);
      const about = commit && parse(commit.message);
      if (about && id !== undefined) found.push({ name, id, at: about.at });
    }
  }
  return found;
}

/** Bytes of objects that only these references lead to. */
async function onlyIn(repo: Repo, refs: readonly { name: string; id: string }[]): Promise<number> {
  if (refs.length === 0) return 0;
  const goes = new Set(refs.map(({ name }) => name));
  const others = (await listRefs(repo, "refs/")).filter(({ name }) => !goes.has(name));
  const kept = others.flatMap(({ id }) => (id === undefined ? [] : [`^${id}`]));
  const input = `${[...refs.map(({ id }) => id), ...kept].join("\n")}\n`;
  const args = ["rev-list", "--objects", "--disk-usage", "--ignore-missing", "--stdin"];
  const { stdout } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir, input });
  return Number(stdout.toString().trim()) || 0;
}

const RESERVED_MS = 24 * 60 * 60 * 1000;
const TEMPORARY_MS = 60 * 60 * 1000;

/** Files of work that was broken off. */
function leftoversOf(record: RepoRecord, now: number): string[] {
  const { repo } = record;
  const dir = seamDirOf(repo);
  const own = join(repo.gitDir, "seam");
  const found: string[] = [];
  const collect = (folder: string, isOne: (name: string) => boolean, age: number) => {
    for (const name of namesIn(folder).filter(isOne)) {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() && now - stats.mtimeMs > age) found.push(path);
    }
  };
  const isTemporary = (name: string) => name.endsWith(".tmp");
  collect(join(dir, "reserved"), () => true, RESERVED_MS);
  collect(join(dir, "index"), () => true, RESERVED_MS);
  for (const agent of namesIn(join(dir, "sessions"))) {
    collect(join(dir, "sessions", agent), isTemporary, TEMPORARY_MS);
  }
  for (const folder of new Set([dir, own])) collect(folder, isTemporary, TEMPORARY_MS);
  if (!brokenOff(record)) {
    collect(own, (name) => name.startsWith("rewind-index"), TEMPORARY_MS);
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
