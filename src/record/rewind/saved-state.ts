import { SeamError } from "../../errors/index.ts";
import {
  type CommitFacts,
  commitFacts,
  identityOf,
  listRefs,
  type ObjectBatch,
  type ObjectStore,
} from "../../git/index.ts";
import { diskParent } from "../snapshot/disk-commit.ts";
import { type LeftOut, parseLeftOut } from "../snapshot/left-out.ts";

export const REWIND_PREFIX = "refs/seam/rewind/";

/** The work tree as it was before a rewind: a commit, with this as its message. */
export interface SavedRecord {
  readonly version: 1;
  readonly at: string;
  /** Whose work tree it was: "" for the main one. */
  readonly worktree_id: string;
  readonly head?: string;
  /** The commit whose files were put in their place. */
  readonly to?: string;
  /** Why it was saved: before a rewind, or before one that had been broken off was completed. */
  readonly why: "rewind" | "completion";
  /** Files that are not in it, or as they were before. */
  readonly left_out: readonly LeftOut[];
  /** How files were on the disk: as in snapshots. */
  readonly on_disk?: string;
}

export interface SavedState {
  readonly ref: string;
  readonly commit: CommitFacts;
  readonly record: SavedRecord;
}

const MOST_TRIES = 100;

/** Keeps a tree under a reference of its own, named after the time. */
export async function saveState(
  batch: ObjectBatch,
  tree: string,
  record: SavedRecord,
): Promise<{ readonly ref: string; readonly commit: string }> {
  const signature = await identityOf(batch.repo, new Date(record.at));
  const commit = await batch.writeCommit({
    tree,
    parents: [
      ...(record.head === undefined ? [] : [record.head]),
      ...(await diskParent(batch, record.on_disk, signature)),
    ],
    author: signature,
    committer: signature,
    message: `Before a rewind\n\n${JSON.stringify(record, null, 2)}\n`,
  });
  let time = Date.parse(record.at);
  for (let tries = 0; tries < MOST_TRIES; tries++, time++) {
    const ref = REWIND_PREFIX + new Date(time).toISOString().replace(/[-:.]/g, "");
    const { ok } = await batch.publish(ref, commit, null);
    if (ok) return { ref, commit };
  }
  throw new SeamError("SEAM_RECORD_BUSY", { ref: REWIND_PREFIX });
}

export function parseSavedMessage(message: string): SavedRecord | undefined {
  try {
    const parsed: unknown = JSON.parse(message.slice(message.indexOf("\n\n")));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const record = parsed as Partial<SavedRecord>;
    const isOne =
      record.version === 1 &&
      typeof record.at === "string" &&
      typeof record.worktree_id === "string" &&
      (record.why === "rewind" || record.why === "completion") &&
      Array.isArray(record.left_out);
    if (!isOne) return undefined;
    return { ...(record as SavedRecord), left_out: parseLeftOut(record.left_out) };
  } catch {
    return undefined;
  }
}

/** States saved before rewinds, the newest first. What others put there is passed over. */
export async function* savedStates(store: ObjectStore): AsyncGenerator<SavedState> {
  for (const { name, id } of (await listRefs(store.repo, REWIND_PREFIX)).reverse()) {
    const commit = id === undefined ? undefined : await commitFacts(store, id);
    const record = commit && parseSavedMessage(commit.message);
    if (record) yield { ref: name, commit, record };
  }
}
