import type { CommitFacts, ObjectStore } from "../../git/index.ts";
import type { SessionMetadata } from "../checkpoint/metadata.ts";
import type { Checkpoint } from "../checkpoint/read-checkpoint.ts";
import { touchedIn } from "../checkpoint/touched-in.ts";
import { commitChanges } from "../link/commit-diff.ts";
import { changedFiles, snapshots } from "./turns.ts";

/**
 * Files that somebody other than the session changed before one of its turns: what is different
 * between the end of the turn before and the start of this one.
 */
export async function humanChanges(
  store: ObjectStore,
  { session_id, turn_ids = [] }: SessionMetadata,
): Promise<string[]> {
  const wanted = new Set(turn_ids);
  if (wanted.size === 0) return [];
  const taken = (await snapshots(store, { session: session_id })).reverse();
  const files = new Set<string>();
  for (const [at, snapshot] of taken.entries()) {
    const before = taken[at - 1];
    const { moment, turn_id } = snapshot.record;
    if (moment !== "start" || !wanted.has(turn_id) || before?.record.moment !== "end") continue;
    if (snapshot.record.thinned) continue;
    for (const path of await changedFiles(store, before, snapshot)) files.add(path);
  }
  return [...files].sort();
}

/** Files of a commit that none of its sessions changed. */
export async function filesOfNoAgent(
  store: ObjectStore,
  commit: CommitFacts,
  checkpoints: readonly Checkpoint[],
): Promise<string[]> {
  const changes = await commitChanges(store, commit);
  const theirs = checkpoints.map((checkpoint) => touchedIn(checkpoint, changes));
  return [...changes.keys()].filter((path) => !theirs.some((files) => files.has(path))).sort();
}
