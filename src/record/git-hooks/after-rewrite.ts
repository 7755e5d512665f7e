import {
  type CommitFacts,
  commitFacts,
  type ObjectStore,
  type Repo,
  trailersOf,
} from "../../git/index.ts";
import { idOfCommit } from "../checkpoint/checkpoint-files.ts";
import { hashesNow } from "../checkpoint/hashes-now.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { type Checkpoint, readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { type CheckpointRequest, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import { outsideOf } from "../link/ancestry.ts";
import { commitChanges } from "../link/commit-diff.ts";
import { RecentCommits } from "../link/recent-commits.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import type { RewriteRequest } from "./request.ts";

/** A commit that git replaced by another one. */
interface Rewritten {
  readonly old: string;
  readonly now: CommitFacts;
  /** The checkpoints that were made for the old commit. */
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * post-rewrite: checkpoints of amended or rebased commits get the new commit ids, also where the
 * new message has lost the trailer.
 */
export async function afterRewrite(
  { record: { store }, log }: RecordingContext,
  repo: Repo,
  { rewritten }: RewriteRequest,
): Promise<void> {
  const recent = new RecentCommits(seamDirOf(repo));
  const isRecent = new Set(recent.all().map(({ commit }) => commit));
  const told: Rewritten[] = [];
  for (const { from: old, to } of rewritten) {
    const now = await commitFacts(store, to);
    if (!now) continue;
    const checkpoints = await checkpointsOf(store, old, now);
    if (checkpoints.length > 0 || isRecent.has(old)) told.push({ old, now, checkpoints });
  }
  const requests = new Map<string, CheckpointRequest>();
  for (const { old, now, checkpoints } of await reallyRewritten(store, told)) {
    recent.moved(old, now.id);
    for (const checkpoint of checkpoints) {
      const { id } = checkpoint;
      const fileHashes = hashesNow(checkpoint, await commitChanges(store, now));
      requests.set(id, { id, commit: now.id, fileHashes, parts: [] });
    }
  }
  await writeCheckpoints(store, "Follow rewritten commits", [...requests.values()], log);
}

async function checkpointsOf(
  store: ObjectStore,
  old: string,
  { message }: CommitFacts,
): Promise<Checkpoint[]> {
  const before = await commitFacts(store, old).catch(() => undefined);
  const ids = [message, before?.message ?? ""].flatMap((text) => trailersOf(text, TRAILER));
  const found: Checkpoint[] = [];
  for (const id of new Set([...ids, idOfCommit(old)])) {
    const checkpoint = await readCheckpoint(store, id);
    // A squash joins several commits: each checkpoint follows the one it was made for.
    if (checkpoint?.metadata.commit_sha === old) found.push(checkpoint);
  }
  return found;
}

/**
 * Leaves out commits that still exist. When a rebase stops at a commit and somebody adds another
 * one on top, git reports the first as rewritten to the second.
 */
async function reallyRewritten(
  store: ObjectStore,
  told: readonly Rewritten[],
): Promise<Rewritten[]> {
  const there: string[] = [];
  for (const { old } of told) if (await store.info(old)) there.push(old);
  const outside = await outsideOf(
    store,
    there,
    told.map(({ now }) => now.id),
  );
  return told.filter(({ old }) => !there.includes(old) || outside.has(old));
}
