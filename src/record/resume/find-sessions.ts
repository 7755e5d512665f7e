import { agentNamed, agentOfType } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { atRepo, type ObjectStore, readRef, runGit, trailersOf } from "../../git/index.ts";
import {
  type Checkpoint,
  readCheckpoint,
  readPrompt,
  type StoredSession,
} from "../checkpoint/read-checkpoint.ts";
import { checkpointsByCommit } from "../history/commit-index.ts";
import { CHECKPOINT_TRAILERS, findCheckpoints } from "../history/find-checkpoints.ts";
import { sessionsWithTurns, snapshots } from "../history/turns.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { TurnStory } from "../session/turn-story.ts";
import type { SnapshotRecord } from "../snapshot/snapshot-record.ts";

/** A session that can be gone on with. */
export interface ResumableSession {
  readonly session_id: string;
  /** Registry name; undefined if it is an agent Seam does not know. */
  readonly agent: string | undefined;
  /** As users know it. */
  readonly type: string;
  readonly at: string;
  /** What it was last asked, as far as that is known. */
  readonly prompt?: string;
  /** The work tree where it got its prompt, from the one it worked in; absent if that is the same. */
  readonly works_in?: string;
  /** The newest checkpoint with its transcript; absent for one that only this machine knows. */
  readonly stored?: { readonly checkpoint: Checkpoint; readonly session: StoredSession };
}

/** Commits of a branch that are looked at. */
const MOST_COMMITS = 1000;

/**
 * The sessions behind a branch, a checkpoint, a commit or a session. Of a branch: those of its
 * newest checkpoint, and those that worked on it since without a commit.
 */
export async function findSessions(record: RepoRecord, what: string): Promise<ResumableSession[]> {
  const { store } = record;
  const branch = await branchTip(store, what);
  if (branch !== undefined) {
    const committed = sessionsOf(await latestOn(store, branch));
    const since =
      committed
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? "";
    const others = (await sessionsInTurns(store)).filter(
      (one) => one.branch === what && one.session.at > since,
    );
    const found = onceEach([...committed, ...others.map(({ session }) => session)]);
    if (found.length === 0) throw new SeamError("SEAM_RESUME_BRANCH", { branch: what });
    return Promise.all(found.map((one) => withPrompt(store, one)));
  }
  try {
    const { checkpoints, by } = await findCheckpoints(store, what);
    const isWanted = ({ session_id }: ResumableSession) =>
      by !== "session" || session_id.startsWith(what);
    const found = sessionsOf(checkpoints).filter(isWanted);
    return Promise.all(found.map((one) => withPrompt(store, one)));
  } catch (error) {
    const found = what === "" ? [] : await uncommitted(record, what);
    if (found.length === 0) throw error;
    return Promise.all(found.map((one) => withPrompt(store, one)));
  }
}

/** Sessions without a checkpoint, by the beginning of an id: from their states and their turns. */
async function uncommitted({ store, states }: RepoRecord, start: string) {
  const live = states
    .all()
    .filter(({ session_id }) => session_id.startsWith(start))
    .map(({ last_seen_at: at, ...state }) => ofAgent({ ...state, at }));
  const told: ResumableSession[] = [];
  for (const id of await sessionsWithTurns(store, start)) {
    const [last] = await snapshots(store, { session: id, limit: 1 });
    if (last) told.push(ofAgent({ ...last.record, ...last.record.story }));
  }
  return onceEach([...live, ...told]);
}

/** Snapshots that are looked at for sessions without a commit. */
const MOST_SNAPSHOTS = 400;

/** Sessions of the latest turns, each with the branch it was on last. */
async function sessionsInTurns(store: ObjectStore) {
  const last = new Map<string, { branch: string | undefined; session: ResumableSession }>();
  for (const { record } of await snapshots(store, { limit: MOST_SNAPSHOTS })) {
    const { session_id, branch } = record;
    if (last.has(session_id)) continue;
    last.set(session_id, { branch, session: ofAgent({ ...record, ...record.story }) });
  }
  return [...last.values()];
}

function ofAgent({
  session_id,
  agent,
  at,
  works_in,
}: Pick<SnapshotRecord, "session_id" | "agent" | "at"> &
  Pick<TurnStory, "works_in">): ResumableSession {
  const type = agentNamed(agent)?.type ?? agent;
  return { session_id, agent, type, at, ...(works_in !== undefined && { works_in }) };
}

/** The newest first; what is stored of a session is not lost for a later turn of it. */
function onceEach(sessions: readonly ResumableSession[]): ResumableSession[] {
  const each = new Map<string, ResumableSession>();
  for (const one of sessions) {
    const known = each.get(one.session_id);
    const at = known && known.at > one.at ? known.at : one.at;
    each.set(one.session_id, { ...one, ...known, at });
  }
  return [...each.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** Several sessions are told apart by what they were asked. */
async function withPrompt(
  store: ObjectStore,
  session: ResumableSession,
): Promise<ResumableSession> {
  const taken = await snapshots(store, { session: session.session_id, limit: 10 });
  const asked = taken.find(({ record }) => record.prompt !== undefined)?.record.prompt;
  if (asked !== undefined) return { ...session, prompt: asked };
  const { stored } = session;
  const text = stored && (await readPrompt(store, stored.checkpoint, stored.session.index));
  return text ? { ...session, prompt: text } : session;
}

async function branchTip({ repo }: ObjectStore, name: string): Promise<string | undefined> {
  for (const prefix of ["refs/heads/", "refs/remotes/"]) {
    const tip = await readRef(repo, prefix + name).catch(() => undefined);
    if (tip !== undefined) return tip;
  }
  return undefined;
}

/** Checkpoints of the newest commit of a branch that has any. */
async function latestOn(store: ObjectStore, tip: string): Promise<Checkpoint[]> {
  const args = ["log", "-z", "--format=%H%n%B", `--max-count=${MOST_COMMITS}`, tip];
  const { stdout } = await runGit([...atRepo(store.repo), ...args], { cwd: store.repo.commonDir });
  // Some lost their trailers.
  const recorded = await checkpointsByCommit(store);
  for (const text of stdout.toString().split("\0")) {
    const [commit = ""] = text.split("\n", 1);
    const told = CHECKPOINT_TRAILERS.flatMap((key) => trailersOf(text, key));
    const ids = new Set([...told, ...(recorded.get(commit) ?? [])]);
    const found = await Promise.all([...ids].map((id) => readCheckpoint(store, id)));
    const there = found.filter((one) => one !== undefined);
    if (there.length > 0) return there;
  }
  return [];
}

/** Each session once, from its newest checkpoint; the newest session first. */
function sessionsOf(checkpoints: readonly Checkpoint[]): ResumableSession[] {
  const newest = new Map<string, ResumableSession>();
  for (const checkpoint of checkpoints) {
    for (const session of checkpoint.sessions) {
      const { session_id, agent: type = "", created_at: at = "", works_in } = session.metadata;
      const key = `${type}\0${session_id}`;
      if ((newest.get(key)?.at ?? "") > at) continue;
      const agent = agentOfType(type)?.name;
      const home = works_in === undefined ? {} : { works_in };
      const stored = { checkpoint, session };
      newest.set(key, { session_id, agent, type, at, ...home, stored });
    }
  }
  return [...newest.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
}
