import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ageOf, readText, replaceFile } from "../../files/index.ts";
import {
  atRepo,
  commitFacts,
  listRefs,
  type ObjectStore,
  type Repo,
  runGit,
  updateRef,
} from "../../git/index.ts";
import { releaseTranscripts } from "../checkpoint/held-transcripts.ts";
import { TURNS_PREFIX } from "../checkpoint/metadata.ts";
import { snapshots } from "../history/turns.ts";
import { isAlive } from "../process-tree.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { RepoRecord } from "../repo-record.ts";
import { brokenOff } from "../rewind/rewind.ts";
import { parseSavedMessage, REWIND_PREFIX } from "../rewind/saved-state.ts";
import { seamDirOf } from "../seam-dir.ts";
import { SILENT_MS } from "../session/lost-by.ts";
import type { SessionState } from "../session/state.ts";
import { isLive } from "../session/state-store.ts";
import { parseSnapshotMessage, turnsRef } from "../snapshot/take-snapshot.ts";
import { thinTurns } from "./thin-turns.ts";

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
  /** Sessions whose states have to stay: nothing else tells what happened in them. */
  readonly kept: readonly string[];
  /** Sessions whose snapshots lost their files; what happened in their turns stays. */
  readonly turns: readonly string[];
  /** References to rewinds that were deleted; git frees objects at its next clean-up. */
  readonly refs: readonly string[];
  readonly leftovers: readonly string[];
  /** Of files that are gone now. */
  readonly fileBytes: number;
  /** Of objects that nothing leads to any more. */
  readonly objectBytes: number;
}

/**
 * Removes what the record does not need any more. Never a checkpoint, never pending work, and never
 * the only thing that tells what happened.
 */
export async function clean(record: RepoRecord, options: CleanOptions): Promise<Cleaned> {
  const { now = Date.now(), dryRun = false } = options;
  const { states, repo, store } = record;
  const isOld = (at: string | undefined, age: number | undefined) =>
    age === undefined || now - Date.parse(at ?? "") > age;
  const all = states.all();
  const over = all.filter(
    (state) => isOver(state, now) && isOld(state.last_seen_at, options.sessionAgeMs),
  );
  const inGit = await Promise.all(over.map((state) => isInGit(store, state)));
  const sessions = options.sessions ? over.filter((_, index) => inGit[index]) : [];
  const kept = options.sessions ? over.filter((_, index) => !inGit[index]) : [];
  const busy = new Set(
    all.filter((state) => !isOver(state, now)).map((one) => turnsRef(one.session_id)),
  );
  const refs: OwnRef[] = [];
  const turns: (OwnRef & { session: string })[] = [];
  for (const one of options.turns ? await ownRefs(store) : []) {
    if (busy.has(one.name) || !isOld(one.at, options.turnAgeMs) || one.isThin) continue;
    if (one.session === undefined) refs.push(one);
    else turns.push({ ...one, session: one.session });
  }
  const leftovers = leftoversOf(record, now);
  const objectBytes = await onlyIn(repo, [...refs, ...turns]);
  let fileBytes = 0;
  for (const path of [...sessions.map((one) => states.pathOf(one)), ...leftovers]) {
    fileBytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  if (!dryRun) {
    for (const state of sessions) {
      states.remove(state);
      await releaseTranscripts(repo, state.session_id);
    }
    for (const path of leftovers) rmSync(path, { force: true });
    for (const { name, id } of refs) await updateRef(repo, name, null, id);
    for (const { session, id } of turns) await thinTurns(record, session, id);
  }
  return {
    sessions: sessions.map(({ session_id }) => session_id),
    kept: kept.map(({ session_id }) => session_id),
    turns: turns.map(({ session }) => session),
    refs: refs.map(({ name }) => name),
    leftovers,
    fileBytes,
    objectBytes,
  };
}

/** The session is over, unless the user resumes it. */
function isOver(state: SessionState, now: number): boolean {
  if (isLive(state) || state.turn_checkpoint_ids.length > 0) return false;
  if (state.phase === "ended") return true;
  if (state.owner) return !isAlive(state.owner);
  return now - Date.parse(state.last_seen_at) > SILENT_MS;
}

/** Whether all that a state tells is also in snapshots or checkpoints. */
async function isInGit(
  store: ObjectStore,
  { session_id, pending }: SessionState,
): Promise<boolean> {
  const { turns, blocked_calls, skill_events, token_usage } = pending;
  const isNothing =
    blocked_calls.length + skill_events.length + token_usage.api_call_count === 0 &&
    turns.every(({ prompt }) => prompt === undefined);
  if (isNothing) return true;
  const told = new Set<string | undefined>();
  for (const { record } of await snapshots(store, { session: session_id })) {
    if (record.story) told.add(record.turn_id);
  }
  return [...turns.map(({ id }) => id), ...blocked_calls.map((call) => call.turn_id)].every((id) =>
    told.has(id),
  );
}

interface OwnRef {
  readonly name: string;
  readonly id: string;
  readonly at: string;
  /** Of turns. */
  readonly session?: string;
  readonly isThin: boolean;
}

/** References with snapshots; what others put there stays. */
async function ownRefs(store: ObjectStore): Promise<OwnRef[]> {
  const found: OwnRef[] = [];
  const commitAt = (id: string | undefined) =>
    id === undefined ? undefined : commitFacts(store, id);
  for (const { name, id = "" } of await listRefs(store.repo, TURNS_PREFIX)) {
    const about = parseSnapshotMessage((await commitAt(id))?.message ?? "");
    if (!about) continue;
    const { session_id: session, at, thinned } = about;
    found.push({ name, id, at, session, isThin: thinned === true });
  }
  for (const { name, id = "" } of await listRefs(store.repo, REWIND_PREFIX)) {
    const about = parseSavedMessage((await commitAt(id))?.message ?? "");
    if (about) found.push({ name, id, at: about.at, isThin: false });
  }
  return found;
}

/** Bytes of objects that only these references lead to. */
export async function onlyIn(
  repo: Repo,
  refs: readonly { name: string; id: string }[],
): Promise<number> {
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

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what is older than the user wants it kept, once a day: files in snapshots and states of
 * sessions that are over. What happened in a turn stays, and so does every checkpoint.
 */
export async function ageOut({ record, log }: RecordingContext, days: number): Promise<void> {
  const marker = join(seamDirOf(record.repo), "aged");
  if (days === 0 || (readText(marker) !== undefined && ageOf(marker) < DAY_MS)) return;
  // The date is written first, so that a failing clean-up is not tried again all the time.
  replaceFile(marker, `${new Date().toISOString()}\n`);
  const age = days * DAY_MS;
  const options = { sessions: true, turns: true, sessionAgeMs: age, turnAgeMs: age };
  const { sessions, turns, refs } = await clean(record, options);
  if (sessions.length + turns.length + refs.length === 0) return;
  const parts = `${sessions.length} states, files of turns of ${turns.length} sessions, ${refs.length} rewinds`;
  log("info", `Removed what was older than ${days} days: ${parts}`);
}
