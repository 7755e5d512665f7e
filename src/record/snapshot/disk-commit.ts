import type { ObjectBatch } from "../../git/index.ts";

/** No other message of Seam's has such a line. */
export const DISK_SUBJECT = "Files as they were on the disk";

/** Keeps a tree of forms alive: a commit that becomes a parent of the one whose files they are of. */
export async function diskParent(
  batch: ObjectBatch,
  tree: string | undefined,
  signature: Parameters<ObjectBatch["writeCommit"]>[0]["author"],
): Promise<string[]> {
  if (tree === undefined) return [];
  const by = { author: signature, committer: signature };
  return [await batch.writeCommit({ tree, parents: [], ...by, message: `${DISK_SUBJECT}\n` })];
}
