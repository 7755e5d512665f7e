import { SeamError } from "../../errors/index.ts";
import {
  editTree,
  identityOf,
  listRefs,
  ObjectBatch,
  type ObjectStore,
  type RawPath,
  rawPath,
  readRef,
  treeValueAt,
} from "../../git/index.ts";
import { checkpointPath, isCheckpointId } from "../checkpoint/checkpoint-files.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import type { SecretRemover } from "../recording-context.ts";
import type { RepoRecord } from "../repo-record.ts";
import { idsBetween } from "../sync/ids-between.ts";
import { convert, folderChange } from "./convert.ts";

export interface ImportOptions {
  readonly redactor: SecretRemover;
  readonly dryRun?: boolean;
  readonly progress?: (done: number, total: number) => void;
}

export interface Imported {
  readonly imported: readonly string[];
  /** Imported before, and the same since. */
  readonly unchanged: readonly string[];
  /** Seam has a checkpoint of its own by that id. */
  readonly kept: readonly string[];
  /** Their metadata is damaged or missing. */
  readonly unreadable: readonly string[];
}

/** How many checkpoints one commit takes. What was written stays when a later one fails. */
const AT_ONCE = 50;
const MOST_TRIES = 20;

/** Brings in what Entire recorded. Can be done again at any time: only what is new is looked at. */
export async function importEntire(
  { store, repo }: RepoRecord,
  { redactor, dryRun = false, progress = () => {} }: ImportOptions,
): Promise<Imported> {
  const result = {
    imported: [] as string[],
    unchanged: [] as string[],
    kept: [] as string[],
    unreadable: [] as string[],
  };
  const all = [...(await entireCheckpoints(store))];
  let batch = new ObjectBatch(store);
  let waiting: { id: string; tree: string }[] = [];
  const flush = async () => {
    if (waiting.length > 0) await publish(batch, waiting);
    result.imported.push(...waiting.map(({ id }) => id));
    waiting = [];
    batch = new ObjectBatch(store);
  };
  for (const [at, [id, source]] of all.entries()) {
    progress(at, all.length);
    const known = await readCheckpoint(store, id);
    const from: unknown = known && Reflect.get(known.metadata, "imported_from");
    if (known && !known.metadata.imported) result.kept.push(id);
    else if (from === source) result.unchanged.push(id);
    else if (dryRun) result.imported.push(id);
    else {
      const tree = await convert(batch, id, source, redactor);
      if (tree === undefined) result.unreadable.push(id);
      else waiting.push({ id, tree });
      if (waiting.length >= AT_ONCE) await flush();
    }
  }
  await flush();
  progress(all.length, all.length);
  if (all.length === 0) throw new SeamError("SEAM_IMPORT_NOTHING", { path: repo.commonDir });
  return result;
}

async function publish(
  batch: ObjectBatch,
  checkpoints: readonly { readonly id: string; readonly tree: string }[],
): Promise<void> {
  const { store, repo } = batch;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const tip = await readRef(repo, CHECKPOINTS_REF);
    const root = tip === undefined ? undefined : (await store.info(`${tip}^{tree}`))?.id;
    const changes = checkpoints.map(({ id, tree }) => folderChange(id, tree));
    const signature = await identityOf(repo);
    const commit = await batch.writeCommit({
      tree: await editTree(batch, root, changes),
      parents: tip === undefined ? [] : [tip],
      author: signature,
      committer: signature,
      message: `Import ${checkpoints.length} from Entire\n`,
    });
    const { ok } = await batch.publish(CHECKPOINTS_REF, commit, tip ?? null);
    if (ok) return;
  }
  throw new SeamError("SEAM_RECORD_BUSY", { ref: CHECKPOINTS_REF });
}

/** One branch with everything in it; also as it comes with a clone. */
const BRANCH = /^refs\/(heads|remotes\/.+)\/entire\/checkpoints\/v1$/;
/** A reference for each checkpoint, in folders by the end of its id. */
const REFS = "refs/entire/checkpoints/";

/** Checkpoints of Entire in this repository: the tree of each, in either of its layouts. */
async function entireCheckpoints(store: ObjectStore): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const branches = [
    ...(await listRefs(store.repo, "refs/remotes/")),
    ...(await listRefs(store.repo, "refs/heads/entire/")),
  ];
  for (const { name, id } of branches) {
    if (!BRANCH.test(name) || id === undefined) continue;
    const root = await treeOf(store, id);
    for (const one of await idsBetween(store, undefined, root)) {
      const path: RawPath = rawPath(checkpointPath(one));
      const folder = root && (await treeValueAt(store, root, path));
      if (folder) found.set(one, folder.id);
    }
  }
  // The newer layout: what is in both was moved here.
  for (const { name, id } of await listRefs(store.repo, REFS)) {
    const [end = "", checkpoint = ""] = name.slice(REFS.length).split("/");
    if (id === undefined || !isCheckpointId(checkpoint) || !checkpoint.endsWith(end)) continue;
    const tree = await treeOf(store, id);
    if (tree) found.set(checkpoint, tree);
  }
  return found;
}

/** Undefined for a reference that leads to something else, or to nothing. */
async function treeOf(store: ObjectStore, commit: string): Promise<string | undefined> {
  return (await store.info(`${commit}^{tree}`))?.id;
}
