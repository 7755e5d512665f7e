import { agentNamed } from "../../agents/index.ts";
import { commitFacts, headOf, type Repo, trailersOf } from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import type { SessionState } from "../session/state.ts";
import { recordCommit } from "./record-commit.ts";
import { Reservations } from "./reservations.ts";

/** More commits than this in one turn were brought in from elsewhere, not made in it. */
const MOST_COMMITS = 20;
/** Clocks of git count seconds. */
const SECOND_MS = 1000;

/**
 * Records the commits of a turn for which no git hook came. Gemini CLI switches git's hooks off in
 * its shell, and programs that are not git run none. Costs a look at HEAD where there are none.
 */
export async function recordUnheardCommits(
  context: RecordingContext,
  repo: Repo,
  session: SessionState,
): Promise<void> {
  const { phase, turn_ran_shell, turn_id = "", started_at } = session;
  if (phase !== "active" || !turn_ran_shell) return;
  const since = context.commits.startOf(turn_id);
  const makers = isAlone(context, session) && session.owner ? [session.owner] : [];
  const found = await unheardSince(context, repo, session, since ?? Date.parse(started_at));
  for (const { commit, isPromised } of found) {
    // A daemon that came up in the middle of the turn does not know what was told before. Of a
    // commit whose message still waits for its checkpoint, nobody has told.
    if (since === undefined && !isPromised) continue;
    await recordCommit(context, repo, { commit, makers });
  }
}

/**
 * Records commits with what a session did that were made since its last turn, before the next one
 * takes its files for settled. Their hook may still be on its way, or had been taken away.
 */
export async function recordCommitsBetween(
  context: RecordingContext,
  repo: Repo,
  session: SessionState,
): Promise<void> {
  const { phase, pending, started_at } = session;
  if (phase === "active" || Object.keys(pending.files).length === 0) return;
  for (const { commit } of await unheardSince(context, repo, session, Date.parse(started_at))) {
    await recordCommit(context, repo, { commit, makers: [] });
  }
}

/** Records a commit that its agent says it made in this turn, if no hook led to its record. */
export async function recordOwnCommit(
  context: RecordingContext,
  repo: Repo,
  session: SessionState,
  name: string,
): Promise<void> {
  const found = await context.record.store.info(name);
  if (session.phase !== "active" || found?.type !== "commit") return;
  await recordCommit(context, repo, { commit: found.id, makers: [], maker: session });
}

interface Unheard {
  readonly commit: string;
  /** Whether the message names a checkpoint that is not written yet. */
  readonly isPromised: boolean;
}

/**
 * Commits upon the one a session started its turn at, without those a hook told of. Oldest first.
 * An agent that is watched names its commits itself, and its turns are read late: HEAD may be at a
 * commit of the next turn by then.
 */
async function unheardSince(
  context: RecordingContext,
  repo: Repo,
  { agent, base_commit }: SessionState,
  since: number,
): Promise<Unheard[]> {
  if (agentNamed(agent)?.watcher) return [];
  const reservations = new Reservations(seamDirOf(repo));
  const unheard: Unheard[] = [];
  let next = (await headOf(repo)).commit;
  for (let seen = 0; next !== base_commit; seen++) {
    const facts = next === undefined ? undefined : await commitFacts(context.record.store, next);
    const isOlder = facts && facts.committer.time * SECOND_MS < since - SECOND_MS;
    // HEAD moved to another history: its commits were not made in this turn.
    if (!facts || isOlder || seen === MOST_COMMITS) return [];
    const ids = trailersOf(facts.message, TRAILER);
    const isPromised = ids.some((id) => reservations.get(id) !== undefined);
    const isWritten = ids.length > 0 && !isPromised;
    if (!context.commits.isHeard(facts.id) && !isWritten) {
      unheard.push({ commit: facts.id, isPromised });
    }
    [next] = facts.parents;
  }
  return unheard.reverse();
}

/** Whether no other known session could have made the commit. Then it need not hold known files. */
function isAlone({ record: { states } }: RecordingContext, session: SessionState): boolean {
  return states
    .live()
    .filter(({ phase, turn_ran_shell }) => phase === "active" && turn_ran_shell)
    .filter(({ work_tree }) => work_tree === session.work_tree)
    .every(({ session_id }) => session_id === session.session_id);
}

/** After this time a commit's hook would have arrived. */
const LATE_MS = 10_000;
/** How far back a commit is looked for. */
const MOST_SEARCHED = 20;

/**
 * Records commits whose message promised a checkpoint and whose hook never came: it was killed, or
 * somebody removed it in between.
 */
export async function recordLostCommits(context: RecordingContext, repo: Repo): Promise<void> {
  const promised = new Set(new Reservations(seamDirOf(repo)).olderThan(LATE_MS));
  if (promised.size === 0) return;
  let next = (await headOf(repo)).commit;
  for (let seen = 0; next !== undefined && seen < MOST_SEARCHED && promised.size > 0; seen++) {
    const facts = await commitFacts(context.record.store, next);
    const ids = facts ? trailersOf(facts.message, TRAILER).filter((id) => promised.has(id)) : [];
    if (ids.length > 0) {
      await recordCommit(context, repo, { commit: next, makers: [] });
    }
    for (const id of ids) promised.delete(id);
    next = facts?.parents[0];
  }
}
