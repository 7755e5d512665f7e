import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  commitFacts,
  diffTrees,
  listRefs,
  type ObjectStore,
  runGit,
  shownPath,
} from "../../git/index.ts";
import { TURNS_PREFIX } from "../checkpoint/metadata.ts";
import { isAlive } from "../process-tree.ts";
import type { RepoRecord } from "../repo-record.ts";
import { isStoppedSoFar } from "../session/read-transcript.ts";
import type { CutOff } from "../session/state.ts";
import type { TurnStory } from "../session/turn-story.ts";
import { DISK_SUBJECT } from "../snapshot/disk-commit.ts";
import { differenceCheck } from "../snapshot/left-out.ts";
import type { OthersFiles } from "../snapshot/others-files.ts";
import type { SnapshotRecord } from "../snapshot/snapshot-record.ts";
import { parseSnapshotMessage, turnsRef } from "../snapshot/take-snapshot.ts";

export interface StoredSnapshot {
  readonly commit: string;
  readonly tree: string;
  readonly record: SnapshotRecord;
}

/** One prompt and the work on it, from the snapshots around it. */
export interface Turn {
  readonly id: string;
  readonly session_id: string;
  readonly agent: string;
  readonly at: string;
  readonly prompt?: string;
  readonly branch?: string;
  /** The linked work tree it was in; absent for the main one. */
  readonly worktree?: string;
  /** What happened in it; absent while it is under way, and for turns of early versions. */
  readonly story?: TurnStory;
  readonly start?: StoredSnapshot;
  /** Its files were cleaned away: what happened is known, but nobody can go back to it. */
  readonly thinned?: true;
  /** Absent while the turn is under way. */
  readonly end?: StoredSnapshot;
  /** Files that its tools changed outside of this work tree: another repository may have them. */
  readonly elsewhere?: readonly string[];
  /** A program that one of its commands started may have run on, and changed files after its end. */
  readonly left_running?: true;
  /** If it broke off. */
  readonly cut_off?: CutOff;
  /** What is different at its end; unknown without both snapshots. */
  readonly files?: readonly string[];
  /** What is different as well, but was changed by the tools of other sessions at the same time. */
  readonly others?: readonly OthersFiles[];
  /** What either it or another session changed, by that session: both ran commands at the time. */
  readonly one_of?: readonly OthersFiles[];
  /** What changed meanwhile and is not known to be the work of any agent. */
  readonly unclaimed?: readonly string[];
  /** What was changed after its user had stopped it. */
  readonly after_stop?: readonly string[];
}

/** Between the fields of a commit; no message holds it. */
const END = "\0";

/** Snapshots, newest first: of one session, or of all. */
export async function snapshots(
  store: ObjectStore,
  { session, limit }: { readonly session?: string; readonly limit?: number } = {},
): Promise<StoredSnapshot[]> {
  const which = session === undefined ? `--glob=${TURNS_PREFIX}*` : turnsRef(session);
  const all = await readLog(store, which, limit);
  if (all.isSound) return all.found;
  // Something else is among them, or something is missing: what can be read is read one by one.
  const found: StoredSnapshot[] = [];
  for (const { name, id } of await listRefs(store.repo, TURNS_PREFIX)) {
    if (id === undefined || (session !== undefined && name !== which)) continue;
    const tip = await commitFacts(store, id).catch(() => undefined);
    if (!tip || !parseSnapshotMessage(tip.message)) continue;
    found.push(...(await readLog(store, name, limit)).found);
  }
  found.sort((a, b) => (a.record.at < b.record.at ? 1 : Number(a.record.at > b.record.at) - 1));
  return limit === undefined ? found : found.slice(0, limit);
}

async function readLog(
  { repo }: ObjectStore,
  which: string,
  limit: number | undefined,
): Promise<{ readonly found: StoredSnapshot[]; readonly isSound: boolean }> {
  const args = [
    ...["log", "-z", "--format=%H%n%T%n%B", "--date-order", "--first-parent"],
    // The first snapshot may have no other parent than one of these.
    ...["--invert-grep", `--grep=^${DISK_SUBJECT}$`],
    ...(limit === undefined ? [] : [`--max-count=${limit}`]),
    ...[which, "--"],
  ];
  const { stdout, code } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
  const found: StoredSnapshot[] = [];
  let isSound = code === 0;
  for (const text of stdout.toString().split(END)) {
    if (text === "") continue;
    const [commit = "", tree = ""] = text.split("\n", 2);
    const record = parseSnapshotMessage(text.slice(commit.length + tree.length + 2));
    if (record) found.push({ commit, tree, record });
    else isSound = false;
  }
  return { found, isSound };
}

/** Ids of sessions with turns that start like this. */
export async function sessionsWithTurns(store: ObjectStore, start: string): Promise<string[]> {
  const ids: string[] = [];
  const [exact] = await snapshots(store, { session: start, limit: 1 });
  if (exact) return [exact.record.session_id];
  if (!/^[A-Za-z0-9_-]+$/.test(start)) return [];
  for (const { id } of await listRefs(store.repo, TURNS_PREFIX + start)) {
    const tip = id === undefined ? undefined : await commitFacts(store, id).catch(() => undefined);
    const record = tip && parseSnapshotMessage(tip.message);
    if (record) ids.push(record.session_id);
  }
  return [...new Set(ids)];
}

/** The names under which sessions have turns: of usual ids these are the ids themselves. */
export async function namesOfSessions({ repo }: ObjectStore): Promise<string[]> {
  const found = await listRefs(repo, TURNS_PREFIX);
  return found.map(({ name }) => name.slice(TURNS_PREFIX.length));
}

/** Turns, the newest first. Costs as much as there are turns asked for. */
export async function turns(
  store: ObjectStore,
  { session, limit = 20 }: { readonly session?: string; readonly limit?: number } = {},
): Promise<Turn[]> {
  const about = session === undefined ? {} : { session };
  // Two snapshots a turn; one more, because the oldest could be an end without its start.
  const taken = await snapshots(store, { ...about, limit: limit * 2 + 1 });
  const byTurn = new Map<string, { start?: StoredSnapshot; end?: StoredSnapshot }>();
  for (const snapshot of taken) {
    const { turn_id, moment } = snapshot.record;
    byTurn.set(turn_id, { [moment]: snapshot, ...byTurn.get(turn_id) });
  }
  const pairs = [...byTurn].slice(0, limit);
  return Promise.all(pairs.map(([id, pair]) => turnOf(store, id, pair)));
}

export async function turnOf(
  store: ObjectStore,
  id: string,
  { start, end }: { readonly start?: StoredSnapshot; readonly end?: StoredSnapshot },
): Promise<Turn> {
  const first = start ?? end;
  const { session_id = "", agent = "", at = "", branch, worktree } = first?.record ?? {};
  const story = end?.record.story;
  // Some agents do not tell the prompt when a turn begins.
  const prompt =
    first?.record.prompt ?? story?.told.entries.find(({ kind }) => kind === "prompt")?.text;
  return {
    id,
    session_id,
    agent,
    at,
    ...(prompt !== undefined && { prompt }),
    ...(branch !== undefined && { branch }),
    ...(worktree !== undefined && { worktree }),
    ...(story && { story }),
    ...(first?.record.thinned && { thinned: true }),
    ...(start && { start }),
    ...(end && { end }),
    ...(end?.record.elsewhere && { elsewhere: end.record.elsewhere }),
    ...(end?.record.left_running && { left_running: true }),
    ...(end?.record.cut_off && { cut_off: end.record.cut_off }),
    ...(start && end && (await filesOf(store, start, end))),
  };
}

async function filesOf(store: ObjectStore, start: StoredSnapshot, end: StoredSnapshot) {
  const all = await changedFiles(store, start, end);
  const changed = new Set(all);
  const among = (list: readonly OthersFiles[] = []) =>
    list
      .map((one) => ({ ...one, files: one.files.filter((path) => changed.has(path)).sort() }))
      .filter(({ files }) => files.length > 0);
  const others = among(end.record.others);
  const one_of = among(end.record.one_of);
  const after_stop = (end.record.after_stop ?? []).filter((path) => changed.has(path));
  const unclaimed = (end.record.unclaimed ?? []).filter((path) => changed.has(path));
  const named = [...others, ...one_of].flatMap(({ files }) => files);
  const theirs = new Set([...named, ...unclaimed, ...after_stop]);
  return {
    files: all.filter((path) => !theirs.has(path)),
    ...(others.length > 0 && { others }),
    ...(one_of.length > 0 && { one_of }),
    ...(unclaimed.length > 0 && { unclaimed }),
    ...(after_stop.length > 0 && { after_stop }),
  };
}

export async function changedFiles(
  store: ObjectStore,
  before: Pick<StoredSnapshot, "tree" | "record">,
  after: Pick<StoredSnapshot, "tree" | "record">,
): Promise<string[]> {
  // The trees of what was cleaned away are empty.
  if (after.record.thinned) return [...(after.record.files ?? [])];
  if (before.record.thinned) return [];
  const isDifference = differenceCheck(before.record.left_out, after.record.left_out);
  const differences = await diffTrees(store, before.tree, after.tree);
  return differences.filter(isDifference).map(({ path }) => shownPath(path));
}

/** The turn whose id starts like this; undefined if there is none. */
export async function turnNamed(store: ObjectStore, start: string): Promise<Turn | undefined> {
  if (!/^[0-9a-f]{4,12}$/.test(start)) return undefined;
  const taken = (await snapshots(store)).filter(({ record }) => record.turn_id.startsWith(start));
  const [id, ...others] = new Set(taken.map(({ record }) => record.turn_id));
  if (id === undefined) return undefined;
  if (others.length > 0) {
    const list = [id, ...others].map((one) => `\n  ${one}`).join("");
    throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: start, list });
  }
  const at = (moment: "start" | "end") => taken.find(({ record }) => record.moment === moment);
  const [first, last] = [at("start"), at("end")];
  return turnOf(store, id, { ...(first && { start: first }), ...(last && { end: last }) });
}

/**
 * A turn that has no end yet may have broken off all the same: its agent is dead, or its user has
 * stopped it, and nobody has looked after it since.
 */
export async function withCutOff(
  { states }: Pick<RepoRecord, "states">,
  turn: Turn,
): Promise<Turn> {
  if (turn.end) return turn;
  const state = states.latest(turn.agent, turn.session_id);
  if (state?.turn_id !== turn.id) return turn;
  if (state.owner && !isAlive(state.owner)) return { ...turn, cut_off: "agent" };
  const isStopped = state.phase === "active" && (await isStoppedSoFar(state));
  return isStopped ? { ...turn, cut_off: "user" } : turn;
}
