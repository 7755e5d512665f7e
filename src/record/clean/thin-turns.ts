import { identityOf, ObjectBatch, type ObjectStore } from "../../git/index.ts";
import { changedFiles, type StoredSnapshot, snapshots } from "../history/turns.ts";
import { publish } from "../publish-objects.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { SnapshotRecord } from "../snapshot/snapshot-record.ts";
import { snapshotMessage, turnsRef } from "../snapshot/take-snapshot.ts";

/** At most this many names of files are kept. */
const MOST_FILES = 200;

/**
 * Lets go of the files in the snapshots of a session, and keeps what happened: for turns without a
 * commit it is the only record. The commits stay, with the same messages and an empty tree.
 */
export async function thinTurns(
  record: Pick<RepoRecord, "store" | "repo" | "log">,
  session: string,
  tip: string,
): Promise<boolean> {
  const { store, repo } = record;
  const taken = (await snapshots(store, { session })).reverse();
  const batch = new ObjectBatch(store);
  const tree = await batch.writeTree([]);
  let last: string | undefined;
  for (const snapshot of taken) {
    const signature = await identityOf(repo, new Date(snapshot.record.at));
    last = await batch.writeCommit({
      tree,
      parents: last === undefined ? [] : [last],
      author: signature,
      committer: signature,
      message: snapshotMessage(await thinned(store, snapshot, taken)),
    });
  }
  if (last === undefined) return false;
  const { ok } = await publish(record, batch, { ref: turnsRef(session), to: last, from: tip });
  return ok;
}

/** What was different at the end of a turn is noted, now that nothing else tells it. */
async function thinned(
  store: ObjectStore,
  snapshot: StoredSnapshot,
  taken: readonly StoredSnapshot[],
): Promise<SnapshotRecord> {
  const { left_out: _, on_disk: __, ...record } = snapshot.record;
  const isStart = (one: StoredSnapshot) =>
    one.record.turn_id === record.turn_id && one.record.moment === "start";
  const start = record.moment === "end" ? taken.find(isStart) : undefined;
  if (!start) return { ...record, thinned: true };
  const files = await changedFiles(store, start, snapshot);
  return { ...record, thinned: true, files: files.slice(0, MOST_FILES) };
}
