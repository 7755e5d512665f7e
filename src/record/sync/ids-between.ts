import { type ObjectStore, readTree } from "../../git/index.ts";
import { isCheckpointId } from "../checkpoint/checkpoint-files.ts";

/** Ids of checkpoints that a tree has and another one has not, or has otherwise. */
export async function idsBetween(
  store: ObjectStore,
  before: string | undefined,
  after: string | undefined,
): Promise<string[]> {
  const [old, now] = await Promise.all([before, after].map((tree) => folders(store, tree)));
  const shards = [...(now ?? [])].filter(
    ([name, id]) => name.length === 2 && old?.get(name) !== id,
  );
  const found = await Promise.all(
    shards.map(async ([shard, id]) => {
      const known = await folders(store, old?.get(shard));
      const there = [...(await folders(store, id))].filter(
        ([name, tree]) => known.get(name) !== tree,
      );
      return there.map(([name]) => `${shard}${name}`);
    }),
  );
  return found.flat().filter(isCheckpointId).sort();
}

async function folders(
  store: ObjectStore,
  tree: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const entries = tree === undefined ? [] : ((await readTree(store, tree)) ?? []);
  const inner = entries.filter(({ mode }) => mode === "40000" || mode === "040000");
  return new Map(inner.map(({ name, id }) => [name, id]));
}
