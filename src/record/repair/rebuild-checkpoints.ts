import {
  identityOf,
  ObjectBatch,
  type ObjectStore,
  rawPath,
  readTree,
  type TreeEntry,
  walkTree,
} from "../../git/index.ts";
import { isCheckpointId } from "../checkpoint/checkpoint-files.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { lastTips, rememberTip } from "../checkpoint/tip.ts";
import { missingFrom } from "./find-damage.ts";

/**
 * Makes the reference to the checkpoints lead to all that are whole. Returns those that are lost;
 * undefined if nothing of the record could be read.
 */
export async function rebuildCheckpoints(
  store: ObjectStore,
  at: string,
): Promise<string[] | undefined> {
  const { repo } = store;
  const tips = [...new Set([at, ...lastTips(store).reverse()])];
  const found = new Map<string, TreeEntry>();
  const lost = new Set<string>();
  const others = new Map<string, TreeEntry>();
  let isReadable = false;
  for (const tip of tips) {
    const entries = await entriesAt(store, `${tip}^{tree}`);
    if (!entries) continue;
    isReadable = true;
    for (const entry of entries) {
      if (entry.name.length !== 2) {
        if (tip === at && (await isWhole(store, entry))) others.set(entry.name, entry);
        continue;
      }
      for (const one of (await entriesAt(store, entry.id)) ?? []) {
        const id = `${entry.name}${one.name}`;
        if (!isCheckpointId(id) || found.has(id)) continue;
        // An older state of it is better than none.
        if (await isWhole(store, one)) found.set(id, one);
        else lost.add(id);
      }
    }
  }
  if (!isReadable) return undefined;
  const batch = new ObjectBatch(store);
  const tree = await treeOf(batch, found, [...others.values()]);
  const signature = await identityOf(repo);
  const parent = await wholeOf(store, tips);
  const commit = await batch.writeCommit({
    tree,
    parents: parent === undefined ? [] : [parent],
    author: signature,
    committer: signature,
    message: "Leave out what was damaged\n",
  });
  const { ok } = await batch.publish(CHECKPOINTS_REF, commit, at);
  if (!ok) return undefined;
  rememberTip(store, commit);
  return [...lost].filter((id) => !found.has(id)).sort();
}

async function entriesAt(store: ObjectStore, name: string): Promise<TreeEntry[] | undefined> {
  try {
    const tree = await store.info(name);
    return tree && (await readTree(store, tree.id));
  } catch {
    return undefined;
  }
}

async function isWhole(store: ObjectStore, { mode, id }: TreeEntry): Promise<boolean> {
  try {
    if (mode !== "40000") return await store.has(id);
    for await (const file of walkTree(store, id)) if (!(await store.has(file.id))) return false;
    return true;
  } catch {
    return false;
  }
}

async function treeOf(
  batch: ObjectBatch,
  checkpoints: ReadonlyMap<string, TreeEntry>,
  others: readonly TreeEntry[],
): Promise<string> {
  const folders = new Map<string, TreeEntry[]>();
  for (const [id, entry] of checkpoints) {
    const folder = folders.get(id.slice(0, 2)) ?? [];
    folders.set(id.slice(0, 2), folder);
    folder.push(entry);
    batch.needs(entry.id);
  }
  const entries: TreeEntry[] = [...others];
  for (const [name, inner] of folders) {
    entries.push({ name: rawPath(name), mode: "40000", id: await batch.writeTree(inner) });
  }
  return batch.writeTree(entries);
}

/** The newest of some commits from which everything can be reached. */
async function wholeOf(
  { repo }: ObjectStore,
  tips: readonly string[],
): Promise<string | undefined> {
  for (const tip of tips) {
    const { missing, detail } = await missingFrom(repo, [tip]);
    if (missing.length === 0 && detail === undefined) return tip;
  }
  return undefined;
}
