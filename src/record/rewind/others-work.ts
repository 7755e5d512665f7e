import {
  commitFacts,
  diffTrees,
  type RawPath,
  shownPath,
  TreeLookup,
  type TreeValue,
  trailersOf,
} from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { snapshots } from "../history/turns.ts";
import type { RepoRecord } from "../repo-record.ts";
import { workTrees } from "../seam-dir.ts";
import { floodCheck } from "../snapshot/left-out.ts";
import { type SnapshotRecord, worktreeIdIn } from "../snapshot/snapshot-record.ts";
import type { RewindPlan } from "./plan.ts";
import { parseSavedMessage, savedStates } from "./saved-state.ts";
import type { RewindTarget } from "./target.ts";

/** Whose work a rewind would undo beside that of the session it goes back in. */
export type UndoneOthers =
  | {
      readonly who: "session";
      readonly agent: string;
      readonly session_id: string;
      readonly files: readonly string[];
    }
  /** Changes that were made outside any recorded turn: by a person, or another program. */
  | { readonly who: "outside"; readonly files: readonly string[] }
  /** The state to go back to is that of another work tree. */
  | { readonly who: "work tree"; readonly work_tree: string; readonly files: readonly string[] };

/** What was seen of the whole work tree at one moment, or of the files that a turn named. */
interface Sight {
  readonly at: string;
  readonly tree: string;
  readonly record?: SnapshotRecord;
  /** A rewind began here: the tree it went to, if that is known. */
  readonly rewind?: { readonly to: string | undefined };
}

interface Turn {
  readonly agent: string;
  readonly session_id: string;
  start?: Sight;
  end?: Sight;
  /** Files that are different at its end and that nobody else changed, with what they were then. */
  readonly claims: Map<RawPath, string>;
}

/** A change that was seen, and the turns that were under way. */
interface Seen {
  readonly path: RawPath;
  readonly turns: readonly Turn[];
}

const keyOf = (value: TreeValue | undefined) => (value ? `${value.mode} ${value.id}` : "");

/**
 * Everyone else whose changes a rewind would undo, with the files. What a session did is known from
 * the snapshots around its turns; what differs between them, while no turn was under way, nobody
 * recorded.
 */
export async function undoneOthers(record: RepoRecord, plan: RewindPlan): Promise<UndoneOthers[]> {
  const { target, changes } = plan;
  if (changes.length === 0) return [];
  const elsewhere = await otherWorkTree(record, plan);
  if (elsewhere) return [elsewhere];
  const since = await momentOf(record, target);
  const sights = await sightsHere(record);
  const turns = await turnsSince(record, sights, plan, since);
  const seen = await changesSeen(record, sights, turns, plan, since);
  const own = await ownSessions(record, target);
  const bySession = new Map<string, { agent: string; files: Set<RawPath> }>();
  const outside = new Set<RawPath>();
  const add = ({ session_id, agent }: Turn, path: RawPath) => {
    const files = bySession.get(session_id)?.files ?? new Set();
    bySession.set(session_id, { agent, files: files.add(path) });
  };
  for (const { path, claimed } of claimsOf(record, turns))
    for (const one of claimed) add(one, path);
  for (const { path, turns: under } of seen) {
    if (under.some(({ claims }) => claims.has(path))) continue;
    // It is not known for a turn that is not over, or whose start was recorded too late.
    const possible = under.filter(({ end, start }) => !end || start?.record?.late);
    for (const one of possible) add(one, path);
    if (possible.length === 0) outside.add(path);
  }
  // Who goes back to a commit on which no session worked goes back in the only one there is.
  const [only, ...more] = bySession.keys();
  if (own.size === 0 && target.kind !== "saved" && only !== undefined && more.length === 0) {
    bySession.delete(only);
  }
  const shown = (files: ReadonlySet<RawPath>) => [...files].map(shownPath).sort();
  const others = [...bySession]
    .filter(([session]) => !own.has(session))
    .map(([session_id, { agent, files }]): UndoneOthers => {
      return { who: "session", agent, session_id, files: shown(files) };
    });
  return outside.size === 0 ? others : [...others, { who: "outside", files: shown(outside) }];
}

/** A turn of another work tree has that one's files: here all that is different would be undone. */
async function otherWorkTree(
  { repo }: RepoRecord,
  { target, changes }: RewindPlan,
): Promise<UndoneOthers | undefined> {
  const { worktreeId } = target;
  if (worktreeId === undefined || worktreeId === repo.worktreeId) return undefined;
  const all = await workTrees(repo);
  const named = all.find(({ gitDir }) =>
    worktreeId === "" ? gitDir === repo.commonDir : gitDir.endsWith(`/worktrees/${worktreeId}`),
  );
  const files = changes.map(({ path }) => shownPath(path));
  return { who: "work tree", work_tree: named?.path ?? worktreeId, files };
}

async function momentOf({ store }: RepoRecord, target: RewindTarget): Promise<string> {
  if (target.at !== undefined) return target.at;
  const commit = await commitFacts(store, target.commit);
  return new Date((commit?.committer.time ?? 0) * 1000).toISOString();
}

/** The session in which the user goes back, or those behind the commit. */
async function ownSessions(
  { store }: RepoRecord,
  { sessionId, kind, commit }: RewindTarget,
): Promise<ReadonlySet<string>> {
  if (sessionId !== undefined) return new Set([sessionId]);
  if (kind === "saved") return new Set();
  const message = (await commitFacts(store, commit))?.message ?? "";
  const ids = trailersOf(message, TRAILER);
  const found = await Promise.all(
    ids.map((id) => readCheckpoint(store, id).catch(() => undefined)),
  );
  return new Set(
    found.flatMap((one) => one?.sessions.map(({ metadata }) => metadata.session_id) ?? []),
  );
}

/** All that was seen of this work tree, the oldest first. */
async function sightsHere({ store, repo, states }: RepoRecord): Promise<Sight[]> {
  const sights: Sight[] = [];
  for (const { tree, record } of (await snapshots(store)).reverse()) {
    const { agent, session_id, at, thinned } = record;
    if (thinned) continue;
    // Earlier versions did not note the work tree in the snapshot.
    const id = worktreeIdIn(record) ?? states.get(agent, session_id)?.worktree_id;
    if (id === undefined || id === repo.worktreeId) sights.push({ at, tree, record });
  }
  for await (const { commit, record } of savedStates(store)) {
    if (record.worktree_id !== repo.worktreeId) continue;
    sights.push({ at: record.at, tree: commit.tree, rewind: await rewindOf(store, record.to) });
  }
  return sights.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

async function rewindOf(store: RepoRecord["store"], to: string | undefined) {
  const commit = to === undefined ? undefined : await commitFacts(store, to);
  return { to: commit?.tree };
}

/** Turns that were under way at the moment, or began later. */
async function turnsSince(
  { store }: RepoRecord,
  sights: readonly Sight[],
  { changes }: RewindPlan,
  since: string,
): Promise<Turn[]> {
  const byId = new Map<string, Turn>();
  for (const sight of sights) {
    if (!sight.record) continue;
    const { turn_id, moment, agent, session_id } = sight.record;
    const known: Turn = byId.get(turn_id) ?? { agent, session_id, claims: new Map() };
    known[moment] = sight;
    byId.set(turn_id, known);
  }
  const turns = [...byId.values()].filter(({ end }) => !end || end.at > since);
  const wanted = new Map(changes.map(({ path, after }) => [path, keyOf(after)]));
  for (const { start, end, claims } of turns) {
    if (!start || !end) continue;
    const { others = [], unclaimed = [], after_stop = [] } = end.record ?? {};
    const named = others.flatMap(({ files }) => files);
    const notIts = new Set([...named, ...unclaimed, ...after_stop]);
    for (const { path, after } of await diffTrees(store, start.tree, end.tree)) {
      const target = wanted.get(path);
      if (target === undefined || target === keyOf(after) || notIts.has(shownPath(path))) continue;
      claims.set(path, keyOf(after));
    }
  }
  return turns;
}

/** Goes through the snapshots since then, and notes what each changed against the one before. */
async function changesSeen(
  { store }: RepoRecord,
  sights: readonly Sight[],
  turns: readonly Turn[],
  { target, changes, tree }: RewindPlan,
  since: string,
): Promise<Seen[]> {
  const trees = new TreeLookup(store);
  const now = new Map(changes.map(({ path, after }) => [path, keyOf(after)]));
  const seen: Seen[] = [];
  let last: Sight = { at: since, tree: target.tree, ...(await savedAs(store, target)) };
  /** Files of which a turn told more since the last look at all of them. */
  let told = new Set<RawPath>();
  const later = sights.filter(({ at, record }) => at > since && !isTarget(target, record));
  const present: Sight = { at: new Date().toISOString(), tree };
  for (const sight of [...later, present]) {
    const { record } = sight;
    if (record?.by === "paths") {
      const claims = turns.find(({ end }) => end === sight)?.claims ?? new Map<RawPath, string>();
      for (const [path, value] of claims) {
        now.set(path, value);
        told.add(path);
      }
      continue;
    }
    const different = await diffTrees(store, last.tree, sight.tree);
    const isUnknown = floodCheck(record?.left_out ?? []);
    for (const path of new Set([...different.map((one) => one.path), ...told])) {
      const before = now.get(path);
      const value = keyOf(await trees.at(sight.tree, path));
      if (before === undefined || before === value || (value === "" && isUnknown(path))) continue;
      now.set(path, value);
      const isRewind =
        last.rewind && (!last.rewind.to || value === keyOf(await trees.at(last.rewind.to, path)));
      if (!isRewind)
        seen.push({ path, turns: turns.filter((one) => isUnderWay(one, last, sight)) });
    }
    last = sight;
    told = new Set();
  }
  return seen;
}

const isTarget = ({ kind, name, moment }: RewindTarget, record: SnapshotRecord | undefined) =>
  kind === "turn" && record?.turn_id === name && record.moment === moment;

/** Whether a turn may have made a change that was seen between two looks. */
function isUnderWay({ start, end }: Turn, before: Sight, after: Sight): boolean {
  const began = !start || start.at <= before.at || (start === after && start.record?.late === true);
  return began && (!end || end === after || end.at > before.at);
}

async function savedAs(store: RepoRecord["store"], { kind, commit }: RewindTarget) {
  if (kind !== "saved") return {};
  const saved = parseSavedMessage((await commitFacts(store, commit))?.message ?? "");
  return { rewind: await rewindOf(store, saved?.to) };
}

/** Where two turns saw the same change, it belongs to the session whose state names the file. */
function claimsOf({ states }: RepoRecord, turns: readonly Turn[]) {
  const byPath = new Map<RawPath, Turn[]>();
  for (const turn of turns) {
    for (const path of turn.claims.keys()) byPath.set(path, [...(byPath.get(path) ?? []), turn]);
  }
  const names = ({ agent, session_id }: Turn, path: RawPath) => {
    const state = states.get(agent, session_id);
    const shown = shownPath(path);
    return state?.pending.files[shown] !== undefined || state?.turn_files?.includes(shown);
  };
  return [...byPath].map(([path, all]) => {
    const claimed = all.filter(
      (one) =>
        names(one, path) ||
        !all.some(
          (other) =>
            other.session_id !== one.session_id &&
            other.claims.get(path) === one.claims.get(path) &&
            names(other, path),
        ),
    );
    return { path, claimed };
  });
}
