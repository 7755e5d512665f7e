import { agentNamed, agentOfType } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { atRepo, type ObjectStore, readRef, runGit, trailersOf } from "../../git/index.ts";
import {
  type Checkpoint,
  readCheckpoint,
  type StoredSession,
} from "../checkpoint/read-checkpoint.ts";
import { checkpointsByCommit } from "../history/commit-index.ts";
import { CHECKPOINT_TRAILERS, findCheckpoints } from "../history/find-checkpoints.ts";
import type { RepoRecord } from "../repo-record.ts";

/** A session that can be gone on with. */
export interface ResumableSession {
  readonly session_id: string;
  /** Registry name; undefined if it is an agent Seam does not know. */
  readonly agent: string | undefined;
  /** As users know it. */
  readonly type: string;
  readonly at: string;
  /** The newest checkpoint with its transcript; absent for one that only this machine knows. */
  readonly stored?: { readonly checkpoint: Checkpoint; readonly session: StoredSession };
}

/** Commits of a branch that are looked at. */
const MOST_COMMITS = 1000;

/** The sessions behind a branch (its newest checkpoint), a checkpoint, a commit or a session. */
export async function findSessions(record: RepoRecord, what: string): Promise<ResumableSession[]> {
  const { store } = record;
  const branch = await branchTip(store, what);
  if (branch !== undefined) {
    const checkpoints = await latestOn(store, branch);
    if (checkpoints.length === 0) throw new SeamError("SEAM_RESUME_BRANCH", { branch: what });
    return sessionsOf(checkpoints);
  }
  try {
    const { checkpoints, by } = await findCheckpoints(store, what);
    const isWanted = ({ session_id }: ResumableSession) =>
      by !== "session" || session_id.startsWith(what);
    return sessionsOf(checkpoints).filter(isWanted);
  } catch (error) {
    const live = record.states.all().filter(({ session_id }) => session_id.startsWith(what));
    if (live.length === 0 || what === "") throw error;
    return live.map(({ session_id, agent, last_seen_at }) => ({
      session_id,
      agent,
      type: agentNamed(agent)?.type ?? agent,
      at: last_seen_at,
    }));
  }
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
      const { session_id, agent: type = "", created_at: at = "" } = session.metadata;
      const key = `${type}\0${session_id}`;
      if ((newest.get(key)?.at ?? "") > at) continue;
      const agent = agentOfType(type)?.name;
      newest.set(key, { session_id, agent, type, at, stored: { checkpoint, session } });
    }
  }
  return [...newest.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
}
