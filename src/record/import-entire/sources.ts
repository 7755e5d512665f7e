import { listRefs, type ObjectStore, type RawPath, rawPath, treeValueAt } from "../../git/index.ts";
import { checkpointPath, isCheckpointId } from "../checkpoint/place.ts";
import { idsBetween } from "../sync/ids-between.ts";

/** One branch with everything in it; also as it comes with a clone. */
const BRANCH = /^refs\/(heads|remotes\/.+)\/entire\/checkpoints\/v1$/;
/** A reference for each checkpoint, in folders by the end of its id. */
const REFS = "refs/entire/checkpoints/";

/** Checkpoints of Entire in this repository: the tree of each, in either of its layouts. */
export async function entireCheckpoints(store: ObjectStore): Promise<Map<string, string>> {
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
