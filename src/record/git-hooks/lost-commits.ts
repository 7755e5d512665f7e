import { commitFacts, headOf, type Repo, trailersOf } from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import { recordCommit } from "./record-commit.ts";
import { Reservations } from "./reservations.ts";

/** By now a commit would have been heard of. */
const LATE_MS = 10_000;
/** How far back a commit is looked for. */
const MOST_COMMITS = 20;

/**
 * A message promised a checkpoint, and nobody told of the commit: its hook was killed, or somebody
 * took it away in between.
 */
export async function recordLostCommits(context: RecordingContext, repo: Repo): Promise<void> {
  const promised = new Set(new Reservations(seamDirOf(repo)).olderThan(LATE_MS));
  if (promised.size === 0) return;
  let next = (await headOf(repo)).commit;
  for (let seen = 0; next !== undefined && seen < MOST_COMMITS && promised.size > 0; seen++) {
    const facts = await commitFacts(context.record.store, next);
    const ids = facts ? trailersOf(facts.message, TRAILER).filter((id) => promised.has(id)) : [];
    if (ids.length > 0) {
      await recordCommit(context, repo, { commit: next, makers: [] });
    }
    for (const id of ids) promised.delete(id);
    next = facts?.parents[0];
  }
}
