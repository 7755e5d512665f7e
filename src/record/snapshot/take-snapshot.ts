import {
  commitFacts,
  headOf,
  identityOf,
  ObjectBatch,
  type RawPath,
  readRef,
} from "../../git/index.ts";
import { TURNS_PREFIX } from "../checkpoint/metadata.ts";
import { fileSafe } from "../file-safe.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { SnapshotRecord } from "./record.ts";
import { wholeWorkTree, workTreeAt } from "./work-tree.ts";

export interface SnapshotRequest
  extends Pick<SnapshotRecord, "session_id" | "agent" | "turn_id" | "moment" | "at" | "prompt"> {
  /** All that can differ from the snapshot before; absent: the whole work tree is looked at. */
  readonly paths?: readonly RawPath[];
}

export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
  readonly record: SnapshotRecord;
}

export function turnsRef(sessionId: string): string {
  return `${TURNS_PREFIX}${fileSafe(sessionId)}`;
}

/** The work tree as git objects; the user's index, HEAD and stash are not touched. */
export async function takeSnapshot(
  { store, repo }: RepoRecord,
  request: SnapshotRequest,
): Promise<Snapshot> {
  const { paths, ...about } = request;
  const ref = turnsRef(about.session_id);
  const before = await readRef(repo, ref);
  const last = before === undefined ? undefined : await commitFacts(store, before);
  const head = await headOf(repo);
  const batch = new ObjectBatch(store);
  const known = paths && last;
  const { tree, leftOut } = known
    ? await workTreeAt(batch, known.tree, paths)
    : await wholeWorkTree(batch, await treeOf(store, head.commit));
  const record: SnapshotRecord = {
    ...about,
    ...(head.branch !== undefined && { branch: head.branch }),
    ...(head.commit !== undefined && { head: head.commit }),
    by: known ? "paths" : "scan",
    ...(leftOut.length > 0 && { left_out: leftOut }),
  };
  const signature = await identityOf(repo, new Date(about.at));
  const commit = await batch.writeCommit({
    tree,
    parents: last ? [last.id] : [],
    author: signature,
    committer: signature,
    message: snapshotMessage(record),
  });
  await batch.publish(ref, commit, before ?? null);
  return { commit, tree, record };
}

async function treeOf(
  store: RepoRecord["store"],
  commit: string | undefined,
): Promise<string | undefined> {
  return commit === undefined ? undefined : (await store.info(`${commit}^{tree}`))?.id;
}

export function snapshotMessage(record: SnapshotRecord): string {
  const { agent, moment, turn_id } = record;
  return `${agent}: ${moment} of turn ${turn_id}\n\n${JSON.stringify(record, null, 2)}\n`;
}

/** Undefined if the message is not of a snapshot. */
export function parseSnapshotMessage(message: string): SnapshotRecord | undefined {
  try {
    const parsed: unknown = JSON.parse(message.slice(message.indexOf("\n\n")));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const { session_id, turn_id, moment } = parsed as Partial<SnapshotRecord>;
    const isOne = typeof session_id === "string" && typeof turn_id === "string";
    return isOne && (moment === "start" || moment === "end")
      ? (parsed as SnapshotRecord)
      : undefined;
  } catch {
    return undefined;
  }
}
