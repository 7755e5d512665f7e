import { inWords, SeamError } from "../../errors/index.ts";
import {
  commitFacts,
  pathFromShown,
  type RawPath,
  shownPath,
  TreeLookup,
  type TreeValue,
} from "../../git/index.ts";
import type { RepoRecord } from "../repo-record.ts";
import { withoutSecretNames } from "../snapshot/left-out.ts";
import { type ApplyIO, applyFiles, applyIO } from "./apply.ts";
import { asOnDisk } from "./disk-files.ts";
import { type RewindJournal, readJournal, writeJournal } from "./journal.ts";
import { planRewind, type RewindPlan, rewindable } from "./plan.ts";
import { savedStates, saveState } from "./saved-state.ts";
import { ofCommit, ofSaved, type RewindTarget } from "./target.ts";

export interface Rewound {
  /** Where the work tree as it was before can be had back; absent if nothing had to be done. */
  readonly ref?: string;
  readonly changed: number;
}

/** All steps that leave something behind. */
export interface RewindIO extends ApplyIO {
  save: typeof saveState;
  journal: typeof writeJournal;
}

const rewindIO: RewindIO = { ...applyIO, save: saveState, journal: writeJournal };

/**
 * Makes the work tree what a plan says: first it is saved as it is, then what differs is changed.
 * HEAD, index and stash stay as they are. Throws if files changed since the plan was made.
 */
export async function rewind(
  record: RepoRecord,
  plan: RewindPlan,
  io: RewindIO = rewindIO,
): Promise<Rewound> {
  const { repo } = record;
  const workTree = rewindable(repo);
  if (plan.changes.length === 0) {
    const broken = brokenOff(record);
    if (broken?.saved === plan.target.commit) io.journal(repo, { ...broken, state: "done" });
    return { changed: 0 };
  }
  const now = await planRewind(record, plan.target);
  if (now.tree !== plan.tree || now.onDisk !== plan.onDisk)
    throw new SeamError("SEAM_REWIND_MOVED");
  const at = new Date().toISOString();
  const saved = await save(io, record, now, at, "rewind");
  const journal: RewindJournal = {
    version: 1,
    state: "under way",
    at,
    saved: saved.commit,
    to: plan.target.commit,
    name: plan.target.name,
    paths: plan.changes.map(({ path }) => shownPath(path)),
  };
  io.journal(repo, journal);
  const values = new Map(plan.changes.map(({ path, after }) => [path, after]));
  const wanted = await asOnDisk(record.store, plan.target.onDisk, values);
  await applied(() => applyFiles(repo, workTree, wanted, io));
  io.journal(repo, { ...journal, state: "done" });
  return { ref: saved.ref, changed: plan.changes.length };
}

/** A rewind of this work tree that was broken off; undefined if there is none. */
export function brokenOff({ repo }: Pick<RepoRecord, "repo">): RewindJournal | undefined {
  const journal = readJournal(repo);
  return journal?.state === "under way" ? journal : undefined;
}

/** Completes a rewind that was broken off. What was changed since is saved as well. */
export async function completeRewind(
  record: RepoRecord,
  journal: RewindJournal,
  io: RewindIO = rewindIO,
): Promise<Rewound> {
  const { repo, store } = record;
  const workTree = rewindable(repo);
  const to = await commitFacts(store, journal.to);
  if (!to) throw new SeamError("SEAM_REWIND_NO_STATE", { name: journal.name });
  const target = { ...ofSaved(to.id, to.tree, { at: journal.at, left_out: [] }) };
  const { onDisk } = ofCommit(to);
  const { ref } = await save(
    io,
    record,
    await planRewind(record, target),
    new Date().toISOString(),
    "completion",
  );
  const wanted = new Map<RawPath, TreeValue | undefined>();
  const trees = new TreeLookup(store);
  for (const shown of journal.paths) {
    const path = pathFromShown(shown);
    const value = await trees.at(to.tree, path);
    // A folder by that name is made by the files in it.
    wanted.set(path, value?.mode === "40000" ? undefined : value);
  }
  const files = await asOnDisk(store, onDisk, wanted);
  await applied(() => applyFiles(repo, workTree, files, io));
  io.journal(repo, { ...journal, state: "done" });
  return { ref, changed: wanted.size };
}

/** The state before the last rewind of this work tree. */
export async function undoTarget({ repo, store }: RepoRecord): Promise<RewindTarget> {
  const last = readJournal(repo)?.saved;
  for await (const { commit, record } of savedStates(store)) {
    const isLast = last === undefined ? record.why === "rewind" : commit.id === last;
    if (isLast && record.worktree_id === repo.worktreeId) {
      return ofSaved(commit.id, commit.tree, record);
    }
  }
  throw new SeamError("SEAM_REWIND_NO_UNDO");
}

async function save(
  io: RewindIO,
  { repo, secrets }: RepoRecord,
  { batch, tree, head, leftOut, onDisk, target }: RewindPlan,
  at: string,
  why: "rewind" | "completion",
) {
  return io.save(batch, tree, {
    version: 1,
    at,
    worktree_id: repo.worktreeId,
    ...(head !== undefined && { head }),
    to: target.commit,
    why,
    left_out: await withoutSecretNames(secrets, leftOut),
    ...(onDisk !== undefined && { on_disk: onDisk }),
  });
}

async function applied(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new SeamError("SEAM_REWIND_BROKEN_OFF", { detail: inWords(error) }, { cause: error });
  }
}
