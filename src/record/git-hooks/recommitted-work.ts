import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CommitFacts,
  commitFacts,
  type ObjectStore,
  pathFromShown,
  type Repo,
  TreeLookup,
  trailersOf,
} from "../../git/index.ts";
import { hashesNow } from "../checkpoint/hashes-now.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { touchedIn } from "../checkpoint/touched-in.ts";
import { type CheckpointRequest, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import { outsideOf } from "../link/ancestry.ts";
import { commitChanges, lineComparer, stillWaits } from "../link/commit-diff.ts";
import { EMPTY_BLOBS } from "../link/empty-blobs.ts";
import type { Staged } from "../link/link.ts";
import { type RecentCommit, RecentCommits } from "../link/recent-commits.ts";
import { atSameHead, isSameHead, rememberHead } from "../link/seen-head.ts";
import type { RecordingContext } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";

/** A recent commit with an agent's work that HEAD does not have. */
interface Away extends RecentCommit {
  /** No branch has it: somebody undid the commit. */
  readonly isUndone: boolean;
  /** The agent's files in it. */
  readonly files: Staged;
}

export interface BeforeCommit {
  readonly head: string | undefined;
  readonly headTree: string | undefined;
  /** What is about to be committed. */
  readonly staged: Staged;
}

/**
 * Checkpoints whose work a commit brings back: it was committed before, and then taken back, or is
 * on another branch. The new commit is as much theirs as the old one. `known` are paths whose
 * author is clear already.
 */
export async function recommittedIds(
  { record: { store } }: RecordingContext,
  repo: Repo,
  { head, headTree, staged }: BeforeCommit,
  known: ReadonlySet<string>,
): Promise<string[]> {
  if (isSameHead(repo)) return [];
  const recent = new RecentCommits(seamDirOf(repo));
  const all = recent.all();
  const away = await awayFrom(store, head, all);
  const others = new Map([...staged].filter(([path]) => !known.has(path)));
  const gone: RecentCommit[] = [];
  const ids: string[] = [];
  const isHere = lineComparer(store, headTree);
  for (const one of away) {
    if (one.files.size === 0 || (await isAllIn(store, headTree, one.files))) gone.push(one);
    else if (await isBroughtBack(one, one.isUndone ? staged : others, isHere)) ids.push(one.id);
  }
  recent.replace(all.filter((one) => !gone.some(({ commit }) => commit === one.commit)));
  if (gone.length === away.length) rememberHead(repo);
  if (ids.length > 0) writeFileSync(redoneFile(repo), "");
  return ids;
}

/** Notes a commit with an agent's work that was made here: somebody may undo it later. */
export function rememberCommit(repo: Repo, commit: string, id: string): void {
  atSameHead(repo, () => new RecentCommits(seamDirOf(repo)).add(commit, id));
}

/** A commit that was just made, what it changes, and the tree it was made upon. */
interface Made {
  readonly facts: CommitFacts;
  readonly changes: Staged;
  readonly base: string | undefined;
}

/** After the commit, its checkpoints belong to it, unless the earlier commit still exists. */
export async function followRecommitted(
  context: RecordingContext,
  repo: Repo,
  made: Made,
): Promise<void> {
  await follow(context, repo, made);
  rmSync(redoneFile(repo), { force: true });
}

async function follow(
  { record: { store }, log }: RecordingContext,
  repo: Repo,
  { facts, changes, base }: Made,
): Promise<void> {
  const ids = new Set(trailersOf(facts.message, TRAILER));
  const recent = new RecentCommits(seamDirOf(repo));
  const all = recent.all();
  const before = all.filter(({ id, commit }) => ids.has(id) && commit !== facts.id);
  if (before.length === 0) return;
  const undone = (await awayFrom(store, facts.id, before)).filter(({ isUndone }) => isUndone);
  const requests = new Map<string, CheckpointRequest>();
  const done = new Set<string>();
  for (const { commit, id, files } of undone) {
    const checkpoint = await readCheckpoint(store, id);
    if (!checkpoint) continue;
    const isMoved = checkpoint.metadata.commit_sha === commit;
    const fileHashes = hashesNow(checkpoint, changes);
    requests.set(id, {
      ...requests.get(id),
      id,
      fileHashes,
      parts: [],
      ...(isMoved && { commit: facts.id }),
    });
    const waits = stillWaits(repo, store, base);
    if (await isSettled(store, facts.tree, { files, changes, waits })) done.add(commit);
  }
  await writeCheckpoints(store, "Follow commits made again", [...requests.values()], log);
  recent.replace(all.filter(({ commit }) => !done.has(commit)));
  for (const id of requests.keys()) recent.add(facts.id, id);
}

async function awayFrom(
  store: ObjectStore,
  head: string | undefined,
  commits: readonly RecentCommit[],
): Promise<Away[]> {
  const ids = (some: readonly RecentCommit[]) => some.map(({ commit }) => commit);
  const outside = await outsideOf(store, ids(commits), head === undefined ? [] : [head]);
  const away = commits.filter(({ commit }) => outside.has(commit));
  const branches = ["--branches", "--remotes", "--tags", ...(head === undefined ? [] : [head])];
  const undone = await outsideOf(store, ids(away), branches);
  return Promise.all(
    away.map(async (one) => ({
      ...one,
      isUndone: undone.has(one.commit),
      files: await filesOf(store, one).catch(() => new Map()),
    })),
  );
}

async function filesOf(store: ObjectStore, { commit, id }: RecentCommit): Promise<Staged> {
  const facts = await commitFacts(store, commit);
  const checkpoint = facts && (await readCheckpoint(store, id));
  if (!checkpoint) return new Map();
  return touchedIn(checkpoint, await commitChanges(store, facts));
}

/**
 * Work that was undone is recognised by its lines, too. Work on another branch counts only if the
 * file is the same: lines alone could be anybody's.
 */
async function isBroughtBack(
  { files, isUndone }: Away,
  staged: Staged,
  isHere: ReturnType<typeof lineComparer>,
): Promise<boolean> {
  for (const [path, blob] of files) {
    const now = staged.get(path);
    if (now === undefined) continue;
    if (now === blob && (isUndone || (blob !== null && !EMPTY_BLOBS.has(blob)))) return true;
    if (!isUndone || now === null || blob === null) continue;
    if (await isHere(path, { blob, turn: "" }, now)) return true;
  }
  return false;
}

async function isAllIn(
  store: ObjectStore,
  tree: string | undefined,
  files: Staged,
): Promise<boolean> {
  const trees = new TreeLookup(store);
  for (const [path, blob] of files) {
    if ((await blobAt(trees, tree, path)) !== blob) return false;
  }
  return true;
}

/**
 * Whether the commit has every file as it was, or has it with nothing left over for another commit.
 */
async function isSettled(
  store: ObjectStore,
  tree: string,
  {
    files,
    changes,
    waits,
  }: { files: Staged; changes: Staged; waits: ReturnType<typeof stillWaits> },
): Promise<boolean> {
  const trees = new TreeLookup(store);
  for (const [path, blob] of files) {
    if ((await blobAt(trees, tree, path)) === blob) continue;
    const now = changes.get(path);
    if (now === undefined || (await waits(path, blob, now))) return false;
  }
  return true;
}

async function blobAt(
  trees: TreeLookup,
  tree: string | undefined,
  path: string,
): Promise<string | null> {
  return (await trees.at(tree, pathFromShown(path)))?.id ?? null;
}

/** Tells the script of post-commit that there is something to do. */
const redoneFile = (repo: Repo) => join(seamDirOf(repo), "redone");
