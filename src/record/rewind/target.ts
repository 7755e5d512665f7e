import { SeamError } from "../../errors/index.ts";
import { type CommitFacts, commitFacts, type ObjectStore } from "../../git/index.ts";
import { checkpointsNamed } from "../history/checkpoints.ts";
import { type StoredSnapshot, snapshots } from "../history/turns.ts";
import type { LeftOut } from "../snapshot/left-out.ts";
import { worktreeIdIn } from "../snapshot/snapshot-record.ts";
import { parseSnapshotMessage } from "../snapshot/take-snapshot.ts";
import { parseSavedMessage, type SavedRecord } from "./saved-state.ts";

/** A state of the work tree that can be gone back to. */
export interface RewindTarget {
  readonly kind: "turn" | "checkpoint" | "commit" | "saved";
  /** What it is called: an id. */
  readonly name: string;
  readonly moment?: "start" | "end";
  readonly commit: string;
  readonly tree: string;
  /** Where HEAD was. */
  readonly head?: string;
  readonly agent?: string;
  /** Of whose turn it is a moment. */
  readonly sessionId?: string;
  /** Whose work tree it was: "" for the main one. Earlier versions did not note it. */
  readonly worktreeId?: string;
  readonly at?: string;
  readonly prompt?: string;
  /** It knows untracked files too; a commit says nothing about them. */
  readonly isWhole: boolean;
  /** The agent may have begun to write before it was complete. */
  readonly isLate?: boolean;
  /** Files it does not know the content of. */
  readonly leftOut: readonly LeftOut[];
  /** The tree that says how its files were on the disk; of a commit nobody knows. */
  readonly onDisk?: string;
}

/** Finds what the user names: a turn, a checkpoint or a commit; the beginning of an id will do. */
export async function findTarget(
  store: ObjectStore,
  what: string,
  moment: "start" | "end" = "start",
): Promise<RewindTarget> {
  const isId = /^[0-9a-f]{4,12}$|^[0-7][0-9A-HJKMNP-TV-Z]{3,25}$/.test(what);
  const turn = isId ? await turnNamed(store, what, moment) : undefined;
  if (turn) return turn;
  const named = isId ? await checkpointsNamed(store, what) : [];
  const [checkpoint] = named;
  if (checkpoint && named.length === 1) {
    const { commit_sha } = checkpoint.metadata;
    const commit = commit_sha === undefined ? undefined : await commitNamed(store, commit_sha);
    if (commit) return { ...ofCommit(commit), kind: "checkpoint", name: checkpoint.id };
    throw new SeamError("SEAM_REWIND_NO_STATE", { name: checkpoint.id });
  }
  const commit = await commitNamed(store, what);
  if (commit) return ofCommit(commit);
  if (named.length > 1)
    throw ambiguous(
      what,
      named.map(({ id }) => id),
    );
  throw new SeamError("SEAM_REWIND_NOT_FOUND", { name: what });
}

async function commitNamed(store: ObjectStore, what: string): Promise<CommitFacts | undefined> {
  // A line end would be a second question to git.
  return /[\n\0]/.test(what) ? undefined : commitFacts(store, what).catch(() => undefined);
}

async function turnNamed(
  store: ObjectStore,
  what: string,
  moment: "start" | "end",
): Promise<RewindTarget | undefined> {
  const taken = (await snapshots(store)).filter(({ record }) => record.turn_id.startsWith(what));
  const ids = [...new Set(taken.map(({ record }) => record.turn_id))];
  if (ids.length > 1) throw ambiguous(what, ids);
  const snapshot = taken.find(({ record }) => record.moment === moment);
  if (snapshot?.record.thinned) {
    throw new SeamError("SEAM_REWIND_CLEANED", { turn: snapshot.record.turn_id });
  }
  if (snapshot) return ofSnapshot(snapshot, taken.at(-1)?.record.prompt);
  const [other] = taken;
  if (!other) return undefined;
  const detail = moment === "end" ? "it is still under way" : "its start was not recorded";
  throw new SeamError("SEAM_REWIND_MOMENT", { turn: other.record.turn_id, moment, detail });
}

function ofSnapshot({ commit, tree, record }: StoredSnapshot, prompt?: string): RewindTarget {
  const { turn_id, moment, head, agent, session_id, at, left_out = [], late, on_disk } = record;
  const worktreeId = worktreeIdIn(record);
  return {
    kind: "turn",
    name: turn_id,
    moment,
    commit,
    tree,
    ...(head !== undefined && { head }),
    agent,
    sessionId: session_id,
    ...(worktreeId !== undefined && { worktreeId }),
    at,
    ...(prompt !== undefined && { prompt }),
    isWhole: true,
    ...(late && { isLate: true }),
    leftOut: left_out,
    ...(on_disk !== undefined && { onDisk: on_disk }),
  };
}

/** Snapshots and saved states are commits too, and can be named as such. */
export function ofCommit({ id, tree, message }: CommitFacts): RewindTarget {
  const snapshot = parseSnapshotMessage(message);
  if (snapshot) return ofSnapshot({ commit: id, tree, record: snapshot }, snapshot.prompt);
  const saved = parseSavedMessage(message);
  if (saved) return ofSaved(id, tree, saved);
  return { kind: "commit", name: id, commit: id, tree, head: id, isWhole: false, leftOut: [] };
}

export function ofSaved(
  commit: string,
  tree: string,
  { at, head, left_out, on_disk }: Pick<SavedRecord, "at" | "head" | "left_out" | "on_disk">,
): RewindTarget {
  return {
    kind: "saved",
    name: commit,
    commit,
    tree,
    at,
    ...(head !== undefined && { head }),
    isWhole: true,
    leftOut: left_out,
    ...(on_disk !== undefined && { onDisk: on_disk }),
  };
}

function ambiguous(name: string, ids: readonly string[]): SeamError {
  const list = ids.map((id) => `\n  ${id}`).join("");
  return new SeamError("SEAM_RECORD_AMBIGUOUS", { name, list });
}
