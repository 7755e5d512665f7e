import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentNamed, scanFamily } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { atRepo, git, listRefs, ObjectBatch, readRef, updateRef } from "../../git/index.ts";
import { noteForgotten } from "../checkpoint/forgotten.ts";
import { releaseTranscripts } from "../checkpoint/held-transcripts.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { forgetTips, holdsCheckpoints } from "../checkpoint/tip.ts";
import { WithoutSessions } from "../checkpoint/without-sessions.ts";
import { Reservations } from "../git-hooks/reservations.ts";
import { RecentCommits } from "../link/recent-commits.ts";
import { dropProblems } from "../problems.ts";
import { publish } from "../publish-objects.ts";
import type { RepoRecord } from "../repo-record.ts";
import { recordRefusal, seamDirOf } from "../seam-dir.ts";
import type { SessionState } from "../session/state.ts";
import { transcriptRef } from "../session/transcript-ref.ts";
import { ASIDE_PREFIX } from "../set-aside.ts";
import { turnsRef } from "../snapshot/take-snapshot.ts";
import { REMOTES_PREFIX } from "../sync/remote.ts";
import { planForget } from "./plan-forget.ts";

/** Others may write at the same time: whoever loses looks again and goes on from there. */
const MOST_TRIES = 20;

/**
 * Deletes a session everywhere in a repository. It can be broken off at any moment and done again:
 * what knows the session goes last.
 */
export async function forget(record: RepoRecord, sessionId: string): Promise<void> {
  const { repo, states, store } = record;
  const refusal = await recordRefusal(repo, { refs: true });
  if (refusal) throw refusal;
  const plan = await planForget(record, sessionId);
  if (plan.is_active) throw new SeamError("SEAM_FORGET_ACTIVE", { session: sessionId });
  noteForgotten(repo, sessionId, {
    checkpoints: plan.checkpoints.map(({ id }) => id),
    position: await transcriptPosition(states.all().filter((one) => one.session_id === sessionId)),
  });
  const refs = [
    CHECKPOINTS_REF,
    ...(await listRefs(repo, REMOTES_PREFIX)).map(({ name }) => name),
    ...(await listRefs(repo, ASIDE_PREFIX)).map(({ name }) => name),
  ];
  for (const ref of refs) await takeOut(record, ref, sessionId);
  const turns = turnsRef(sessionId);
  const last = await readRef(repo, turns);
  if (last !== undefined) await updateRef(repo, turns, null, last);
  await releaseTranscripts(repo, sessionId);
  for (const ref of [...refs, turns]) await dropReflog(record, ref);
  forgetTips(store, await readRef(repo, CHECKPOINTS_REF));
  const gone = new Set(plan.checkpoints.filter(({ others }) => others === 0).map(({ id }) => id));
  const seamDir = seamDirOf(repo);
  new Reservations(seamDir).forget(sessionId);
  const recent = new RecentCommits(seamDir);
  recent.replace(recent.all().filter(({ id }) => !gone.has(id)));
  dropProblems(seamDir, sessionId);
  for (const state of states.all()) if (state.session_id === sessionId) states.remove(state);
}

/** How far the agent has written its transcript: if it goes on, that is recorded from there. */
async function transcriptPosition(states: readonly SessionState[]): Promise<number> {
  let position = 0;
  for (const state of states) {
    const [agent, ref] = [agentNamed(state.agent), transcriptRef(state)];
    if (!agent || ref === undefined) continue;
    const { main } = await scanFamily(agent, ref, { want: "position" });
    position = Math.max(position, main.state.position);
  }
  return position;
}

/** Takes the session out of all that a reference leads to. */
async function takeOut(
  { repo, store, log }: RepoRecord,
  ref: string,
  sessionId: string,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const from = await readRef(repo, ref);
    // Another thing may be there: a history of the user's is nothing to go through.
    if (from === undefined || !(await holdsCheckpoints(store, from))) return;
    const batch = new ObjectBatch(store);
    const without = new WithoutSessions(batch, (id) => id === sessionId);
    const to = await without.commit(from);
    if (to === from) return;
    const { ok } =
      to === undefined
        ? await updateRef(repo, ref, null, from)
        : await publish(log ? { log } : {}, batch, { ref, to, from });
    if (ok) return;
  }
  throw new SeamError("SEAM_RECORD_BUSY", { ref });
}

/** Git keeps where a reference was, if the user wants that for all of them. */
async function dropReflog({ repo }: RepoRecord, ref: string): Promise<void> {
  if (!existsSync(join(repo.commonDir, "logs", ref))) return;
  const args = ["reflog", "expire", "--expire=now", "--expire-unreachable=now", ref];
  await git([...atRepo(repo), ...args], { cwd: repo.gitDir });
}
