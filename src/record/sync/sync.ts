import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  git,
  identityOf,
  ObjectBatch,
  type ObjectStore,
  readRef,
  runGit,
  updateRef,
} from "../../git/index.ts";
import { readForgotten } from "../checkpoint/forgotten.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { WithoutSessions } from "../checkpoint/without-sessions.ts";
import { idsBetween } from "./ids-between.ts";
import { fetchCheckpoints, pushCheckpoints, remoteTip, type SyncRemote } from "./remote.ts";
import { unionOf } from "./union.ts";

export interface SyncOptions {
  readonly fetch: boolean;
  readonly push: boolean;
  readonly dryRun?: boolean;
  /** Is called with what will be sent. If it returns false, nothing is sent. */
  readonly confirm?: (outgoing: Outgoing) => Promise<boolean> | boolean;
  readonly progress?: (text: string) => void;
  /** What was deleted here is taken out on the other side too. */
  readonly forget?: boolean;
  /** What was deleted on the other side since it was last asked is sent there once more. */
  readonly sendBack?: boolean;
}

export interface Outgoing {
  /** Checkpoints the other side has not, or has otherwise. */
  readonly ids: readonly string[];
  /** About what will go over the wire. */
  readonly bytes: number;
  /** The other side has no checkpoints at all yet. */
  readonly isFirst: boolean;
  /** Checkpoints of which the other side has more than is left here, and then no longer will. */
  readonly forgets: readonly string[];
}

export interface Synced {
  /** Checkpoints that came, or changed, here. */
  readonly received: readonly string[];
  readonly sent: readonly string[];
  readonly bytes: number;
  readonly pushed: boolean;
  /** Checkpoints of which the other side has what was deleted here: so nothing was sent. */
  readonly undeleted?: readonly string[];
  /** Sessions that the other side had and has no more: so nothing was sent. */
  readonly withdrawn?: readonly string[];
}

/** Others may sync at the same time: whoever loses looks again. */
const MOST_TRIES = 5;

/** Brings the checkpoints here and there together. Only ever touches that one reference. */
export async function sync(
  store: ObjectStore,
  remote: SyncRemote,
  options: SyncOptions,
): Promise<Synced> {
  const { repo } = store;
  const { progress = () => {}, confirm = () => true } = options;
  const received = new Set<string>();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    progress(`Asking ${remote.shown}…`);
    const theirs = await remoteTip(repo, remote);
    const had = await readRef(repo, remote.tracking);
    if (theirs !== undefined && theirs !== had) {
      progress(`Fetching checkpoints from ${remote.shown}…`);
      await fetchCheckpoints(repo, remote);
    }
    const { commit: wanted, forgets } = await withoutForgotten(store, theirs);
    if (wanted !== theirs) await updateRef(repo, remote.tracking, wanted ?? null, undefined);
    // What is not wanted here does not have to be united, but must not be pushed over either.
    const united = await unite(store, wanted, options.dryRun === true || !options.fetch);
    for (const id of united.received) received.add(id);
    const withdrawn = options.sendBack
      ? []
      : await withdrawnFrom(store, { had, theirs, commit: united.commit });
    // They are remembered until the user has decided.
    if (withdrawn.length > 0) await updateRef(repo, remote.tracking, had ?? null, undefined);
    const result = { received: options.fetch ? [...received].sort() : [], sent: [], bytes: 0 };
    if (!options.push || united.commit === undefined || united.commit === theirs) {
      return { ...result, pushed: false };
    }
    if (forgets.length > 0 && !options.forget) {
      return { ...result, pushed: false, undeleted: forgets };
    }
    if (withdrawn.length > 0) return { ...result, pushed: false, withdrawn };
    const outgoing = { ...(await outgoingOf(store, theirs, united.commit)), forgets };
    const said = { ...result, sent: outgoing.ids, bytes: outgoing.bytes };
    if (options.dryRun || !(await confirm(outgoing))) return { ...said, pushed: false };
    progress(`Sending checkpoints to ${remote.shown}…`);
    if (await pushCheckpoints(repo, remote, united.commit, theirs)) {
      await updateRef(repo, remote.tracking, united.commit, undefined);
      return { ...said, pushed: true };
    }
  }
  throw new SeamError("SEAM_SYNC_RACE", { remote: remote.shown });
}

/** What the other side has, without what the user deleted here. */
async function withoutForgotten(
  store: ObjectStore,
  theirs: string | undefined,
): Promise<{ readonly commit: string | undefined; readonly forgets: readonly string[] }> {
  const isForgotten = readForgotten(store.repo);
  if (theirs === undefined || !isForgotten) return { commit: theirs, forgets: [] };
  const batch = new ObjectBatch(store);
  const without = new WithoutSessions(batch, isForgotten);
  const commit = await without.commit(theirs);
  await batch.ensure();
  return { commit, forgets: [...without.changed].sort() };
}

/**
 * Sessions that the other side had and has no more, and that would go there again. Nothing takes
 * anything away there but `seam sync --forget`: somebody wanted it to be gone.
 */
async function withdrawnFrom(
  store: ObjectStore,
  { had, theirs, commit }: Readonly<Record<"had" | "theirs" | "commit", string | undefined>>,
): Promise<string[]> {
  // An empty remote was made anew, and gets everything.
  if (had === undefined || theirs === undefined || had === theirs) return [];
  if (commit === undefined || commit === theirs) return [];
  const gone = new Set<string>();
  const [before, after] = await Promise.all([treeOf(store, had), treeOf(store, theirs)]);
  for (const id of await idsBetween(store, after, before)) {
    const [then, now, ours] = await Promise.all(
      [had, theirs, commit].map(async (tip) => {
        const sessions = (await readCheckpoint(store, id, tip))?.sessions ?? [];
        return new Set(sessions.map(({ metadata }) => metadata.session_id));
      }),
    );
    for (const one of then ?? []) if (!now?.has(one) && ours?.has(one)) gone.add(one);
  }
  return [...gone].sort();
}

interface United {
  readonly commit: string | undefined;
  readonly received: readonly string[];
}

/** `keep`: the reference here stays where it is. */
async function unite(
  store: ObjectStore,
  theirs: string | undefined,
  keep: boolean,
): Promise<United> {
  const { repo } = store;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const ours = await readRef(repo, CHECKPOINTS_REF);
    if (theirs === undefined || ours === theirs) return { commit: ours, received: [] };
    const batch = new ObjectBatch(store);
    const [ourTree, theirTree] = await Promise.all([treeOf(store, ours), treeOf(store, theirs)]);
    const base = ours === undefined ? undefined : await mergeBase(store, ours, theirs);
    const tree = await unionOf(batch, {
      ours: ourTree,
      theirs: theirTree,
      base: await treeOf(store, base),
    });
    const received = await idsBetween(store, ourTree, tree);
    if (base === theirs && tree === ourTree) return { commit: ours, received };
    const isForward = (ours === undefined || base === ours) && tree === theirTree;
    const commit = isForward ? theirs : await mergeCommit(batch, tree, ours, theirs);
    if (keep) {
      await batch.ensure();
      return { commit, received };
    }
    batch.needs(commit);
    const { ok } = await batch.publish(CHECKPOINTS_REF, commit, ours ?? null);
    if (ok) return { commit, received };
  }
  throw new SeamError("SEAM_RECORD_BUSY", { ref: CHECKPOINTS_REF });
}

async function mergeCommit(
  batch: ObjectBatch,
  tree: string,
  ours: string | undefined,
  theirs: string,
): Promise<string> {
  const signature = await identityOf(batch.repo);
  return batch.writeCommit({
    tree,
    parents: ours === undefined ? [theirs] : [ours, theirs],
    author: signature,
    committer: signature,
    message: "Unite checkpoints of two sides\n",
  });
}

async function outgoingOf(
  store: ObjectStore,
  theirs: string | undefined,
  commit: string,
): Promise<Omit<Outgoing, "forgets">> {
  const [before, after] = await Promise.all([treeOf(store, theirs), treeOf(store, commit)]);
  const not = theirs === undefined ? [] : ["--not", theirs];
  const args = [...atRepo(store.repo), "rev-list", "--objects", "--disk-usage", commit, ...not];
  const { stdout } = await runGit(args, { cwd: store.repo.gitDir });
  return {
    ids: await idsBetween(store, before, after),
    bytes: Number(stdout.toString().trim()) || 0,
    isFirst: theirs === undefined,
  };
}

async function treeOf(store: ObjectStore, commit: string | undefined): Promise<string | undefined> {
  if (commit === undefined) return undefined;
  const tree = await store.info(`${commit}^{tree}`);
  if (!tree) throw new SeamError("SEAM_GIT_OBJECT", { id: commit, detail: "it is no commit" });
  return tree.id;
}

async function mergeBase({ repo }: ObjectStore, a: string, b: string): Promise<string | undefined> {
  const args = [...atRepo(repo), "merge-base", a, b];
  const { stdout, code } = await runGit(args, { cwd: repo.gitDir });
  if (code === 0) return stdout.toString().trim();
  if (code === 1) return undefined;
  await git(args, { cwd: repo.gitDir });
  return undefined;
}
