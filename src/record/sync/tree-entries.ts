import { type ObjectBatch, readTree, type TreeEntry } from "../../git/index.ts";

/** By name; none if there is no such tree. */
export async function entriesOf(
  batch: ObjectBatch,
  tree: string | undefined,
): Promise<Map<string, TreeEntry>> {
  const entries = tree === undefined ? [] : ((await readTree(batch, tree)) ?? []);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

export function isFolder(entry: TreeEntry | undefined): boolean {
  return entry?.mode === "40000" || entry?.mode === "040000";
}
