import { commitFacts, type Repo, trailersOf } from "../../git/index.ts";
import { hashesNow } from "../checkpoint/hashes-now.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { idOfCommit } from "../checkpoint/place.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { type CheckpointRequest, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import type { Keeper } from "../keeper.ts";
import { RecentCommits } from "../link/recent-commits.ts";
import { seamDirOf } from "../seam-dir.ts";
import { commitChanges } from "./commit-diff.ts";
import type { GitRequest } from "./request.ts";

/**
 * post-rewrite: checkpoints of amended or rebased commits learn what these are called now, also
 * those whose trailer a new message lost.
 */
export async function afterRewrite(
  { record: { store }, log }: Keeper,
  repo: Repo,
  { input }: GitRequest,
): Promise<void> {
  const recent = new RecentCommits(seamDirOf(repo));
  const requests = new Map<string, CheckpointRequest>();
  for (const line of input.split("\n")) {
    const [old, commit] = line.split(" ");
    const now = commit ? await commitFacts(store, commit) : undefined;
    if (!now || !old) continue;
    recent.moved(old, now.id);
    const before = await commitFacts(store, old).catch(() => undefined);
    const messages = [now.message, before?.message ?? ""];
    const ids = messages.flatMap((message) => trailersOf(message, TRAILER));
    for (const id of new Set([...ids, idOfCommit(old)])) {
      const checkpoint = await readCheckpoint(store, id);
      // A squash joins several commits: each checkpoint follows the one it was made for.
      if (checkpoint?.metadata.commit_sha !== old) continue;
      const fileHashes = hashesNow(checkpoint, await commitChanges(store, now));
      requests.set(id, { id, commit: now.id, fileHashes, parts: [] });
    }
  }
  await writeCheckpoints(store, "Follow rewritten commits", [...requests.values()], log);
}
