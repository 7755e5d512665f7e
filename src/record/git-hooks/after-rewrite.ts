import { commitFacts, type Repo, trailersOf } from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { type CheckpointRequest, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import type { Keeper } from "../keeper.ts";
import type { GitRequest } from "./request.ts";

/** post-rewrite: checkpoints of amended or rebased commits learn what these are called now. */
export async function afterRewrite(
  { record: { store } }: Keeper,
  _repo: Repo,
  { input }: GitRequest,
): Promise<void> {
  const requests = new Map<string, CheckpointRequest>();
  for (const line of input.split("\n")) {
    const [old, commit] = line.split(" ");
    const facts = commit ? await commitFacts(store, commit) : undefined;
    for (const id of facts ? trailersOf(facts.message, TRAILER) : []) {
      const checkpoint = await readCheckpoint(store, id);
      // A squash joins several commits: each checkpoint follows the one it was made for.
      if (checkpoint && facts && checkpoint.metadata.commit_sha === old) {
        requests.set(id, { id, commit: facts.id, parts: [] });
      }
    }
  }
  await writeCheckpoints(store, "Follow rewritten commits", [...requests.values()]);
}
