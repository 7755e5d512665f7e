import { SeamError } from "../../errors/index.ts";
import { storeRefusal, storeVersion } from "../../files/index.ts";
import {
  brokenRef,
  commitFacts,
  editTree,
  headOf,
  identityOf,
  ObjectBatch,
  type RawPath,
  readRef,
  shownPath,
} from "../../git/index.ts";
import { TURNS_PREFIX } from "../checkpoint/metadata.ts";
import { fileSafe } from "../file-safe.ts";
import { publish, restoreCollected } from "../publish-objects.ts";
import type { RepoRecord } from "../repo-record.ts";
import { setAside } from "../set-aside.ts";
import { diskParent } from "./disk-commit.ts";
import { type LeftOut, parseLeftOut, withoutSecretNames } from "./left-out.ts";
import type { Meanwhile } from "./others-files.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";
import { undoneAtOnce } from "./undone-at-once.ts";
import { type WorkTree, wholeWorkTree, workTreeAt } from "./work-tree.ts";

export interface SnapshotRequest
  extends Pick<
    SnapshotRecord,
    | "session_id"
    | "agent"
    | "turn_id"
    | "moment"
    | "at"
    | "prompt"
    | "elsewhere"
    | "cut_off"
    | "left_running"
    | "story"
  > {
  /** All that can differ from the snapshot before; absent: the whole work tree is looked at. */
  readonly paths?: readonly RawPath[];
  /** Files the agent's tools named, for a look at the whole work tree. */
  readonly named?: readonly RawPath[];
  /** Whether the agent began to write before all was looked at; asked when that is over. */
  readonly isLate?: () => boolean;
  /** Files of the tree that were changed after the user stopped the turn. */
  readonly afterStop?: (batch: ObjectBatch, tree: string) => Promise<readonly string[]>;
  /** Files of the tree that others changed, or may have changed, and those that no agent did. */
  readonly meanwhile?: (batch: ObjectBatch, tree: string) => Promise<Meanwhile>;
}

export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
  readonly record: SnapshotRecord;
  /** What git would call files that were left out for their secrets; unknown of an earlier one. */
  readonly unstored?: ReadonlyMap<string, string>;
  /** Files that a commit of the turn had, and that somebody took back before the look. */
  readonly undone?: ReadonlySet<string>;
  /** The snapshot before it in the same session. */
  readonly before?: SnapshotRecord | undefined;
}

export function turnsRef(sessionId: string): string {
  return `${TURNS_PREFIX}${fileSafe(sessionId)}`;
}

/** Others may write at the same time: whoever loses looks again. */
const MOST_TRIES = 20;

/** The work tree as git objects; the user's index, HEAD and stash are not touched. */
export async function takeSnapshot(
  record: RepoRecord,
  request: SnapshotRequest,
): Promise<Snapshot> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const snapshot = await trySnapshot(record, request);
    if (snapshot) return snapshot;
  }
  throw new SeamError("SEAM_RECORD_BUSY", { ref: turnsRef(request.session_id) });
}

async function trySnapshot(
  repoRecord: RepoRecord,
  request: SnapshotRequest,
): Promise<Snapshot | undefined> {
  const { store, repo } = repoRecord;
  const { paths, named: keep, isLate, story, afterStop, meanwhile, ...about } = request;
  const ref = turnsRef(about.session_id);
  const broken = await brokenRef(repo, ref);
  if (broken !== undefined) {
    repoRecord.log?.("warn", `Earlier turns of ${about.session_id} are lost: ${ref} is ${broken}`);
    await setAside(repo, ref);
  }
  const before = await readRef(repo, ref);
  const last = before === undefined ? undefined : await lastSnapshot(repoRecord, before);
  const taken = last && parseSnapshotMessage(last.message);
  // After a crash a hook comes a second time: what it saw then is surer than what is there now.
  if (last && taken && isSameMoment(taken, about)) {
    const [parent] = last.parents;
    const earlier = parent === undefined ? undefined : await commitFacts(store, parent);
    const record = earlier && parseSnapshotMessage(earlier.message);
    return { commit: last.id, tree: last.tree, record: taken, before: record };
  }
  const head = await headOf(repo);
  const batch = new ObjectBatch(store);
  // A snapshot whose files were cleaned away tells nothing about them.
  const basis = taken?.thinned ? undefined : last?.tree;
  // The paths alone do not suffice on top of another turn's snapshot: it may be of another work
  // tree.
  const isSameTurn = taken?.turn_id === about.turn_id;
  const known =
    paths && isSameTurn && basis !== undefined
      ? { tree: basis, leftOut: taken?.left_out ?? [], onDisk: taken?.on_disk }
      : undefined;
  const named = known && paths ? await fromPaths(repoRecord, batch, known, paths) : undefined;
  const {
    tree: seen,
    leftOut,
    unstored,
    onDisk,
  } = named ??
  (await wholeWorkTree(repoRecord, batch, {
    head: await treeOf(store, head.commit),
    last: basis,
    named: keep,
    bounds: repoRecord.bounds,
  }));
  const after_stop = (await afterStop?.(batch, seen)) ?? [];
  // A turn that went on after its end has one end all the same: the last.
  const isAgain = isSameTurn && about.moment === "end" && taken?.moment === "end";
  // What others did in the turn is known from its first end.
  const told: Partial<Meanwhile> = (await meanwhile?.(batch, seen)) ?? (isAgain ? taken : {});
  const { others = [], one_of = [], unclaimed = [] } = told;
  const start =
    isSameTurn && taken?.moment === "start" && about.moment === "end" ? basis : undefined;
  const undone =
    named || start === undefined
      ? []
      : await undoneAtOnce(batch, { at: about.at, start, tree: seen });
  const tree = undone.length === 0 ? seen : await editTree(batch, seen, undone);
  const record: SnapshotRecord = {
    version: storeVersion("snapshot"),
    ...about,
    ...(others.length > 0 && { others }),
    ...(one_of.length > 0 && { one_of }),
    ...(unclaimed.length > 0 && { unclaimed }),
    ...(after_stop.length > 0 && { after_stop }),
    ...(head.branch !== undefined && { branch: await repoRecord.secrets.without(head.branch) }),
    ...(repo.worktreeId !== "" && { worktree: await repoRecord.secrets.without(repo.worktreeId) }),
    ...(head.commit !== undefined && { head: head.commit }),
    by: named ? "paths" : "scan",
    ...(isLate?.() && { late: true }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(onDisk !== undefined && { on_disk: onDisk }),
    ...(story && { story }),
  };
  const stored = { ...record, ...(await storedLeftOut(repoRecord, leftOut)) };
  const signature = await identityOf(repo, new Date(about.at));
  const inTurn = last?.parents.slice(0, taken?.on_disk === undefined ? undefined : -1) ?? [];
  const earlier = isAgain ? inTurn : last ? [last.id] : [];
  const commit = await batch.writeCommit({
    tree,
    parents: [...earlier, ...(await diskParent(batch, onDisk, signature))],
    author: signature,
    committer: signature,
    message: snapshotMessage(stored),
  });
  const { ok } = await publish(repoRecord, batch, { ref, to: commit, from: before });
  const takenBack = new Set(undone.map(({ path }) => shownPath(path)));
  return ok ? { commit, tree, record, unstored, undone: takenBack, before: taken } : undefined;
}

async function storedLeftOut({ secrets }: RepoRecord, leftOut: readonly LeftOut[]) {
  return leftOut.length > 0 ? { left_out: await withoutSecretNames(secrets, leftOut) } : {};
}

/** Undefined if the paths alone do not suffice: then the whole work tree is looked at. */
async function fromPaths(
  record: RepoRecord,
  batch: ObjectBatch,
  known: Pick<WorkTree, "tree" | "leftOut" | "onDisk">,
  paths: readonly RawPath[],
): Promise<WorkTree | undefined> {
  try {
    return await workTreeAt(record, batch, known, paths);
  } catch (error) {
    record.log?.("info", "The whole work tree is looked at", error);
    return undefined;
  }
}

/** Undefined if what the reference leads to is no commit. */
async function lastSnapshot({ store, repo, log }: RepoRecord, commit: string) {
  const found = await commitFacts(store, commit);
  if (found) return found;
  await restoreCollected(repo);
  const again = await commitFacts(store, commit);
  if (!again) log?.("warn", `Earlier turns are lost: ${commit} is not there, or no commit`);
  return again;
}

function isSameMoment(
  a: SnapshotRecord,
  b: Pick<SnapshotRequest, "turn_id" | "moment" | "at">,
): boolean {
  return a.turn_id === b.turn_id && a.moment === b.moment && a.at === b.at;
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

/** Undefined if the message is not of a snapshot, or of one in a form that a newer Seam has. */
export function parseSnapshotMessage(message: string): SnapshotRecord | undefined {
  try {
    const parsed: unknown = JSON.parse(message.slice(message.indexOf("\n\n")));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const { version, session_id, turn_id, moment, left_out } = parsed as Partial<SnapshotRecord>;
    if (storeRefusal("snapshot", turn_id ?? "", version)) return undefined;
    const isOne = typeof session_id === "string" && typeof turn_id === "string";
    if (!isOne || (moment !== "start" && moment !== "end")) return undefined;
    const record = parsed as SnapshotRecord;
    return left_out === undefined ? record : { ...record, left_out: parseLeftOut(left_out) };
  } catch {
    return undefined;
  }
}
