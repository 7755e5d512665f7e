import type { ObjectBatch, TreeEntry } from "../../git/index.ts";
import { checkpointPath, isCheckpointId } from "../checkpoint/checkpoint-files.ts";
import { mergeCheckpoint } from "./merge-checkpoint.ts";
import { entriesOf, isFolder } from "./tree-entries.ts";

export interface Sides {
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
  /** What both grew from; absent if they have nothing in common. */
  readonly base?: string | undefined;
}

/**
 * All checkpoints of both sides in one tree. Nothing is ever taken out: what only one side has is
 * in it, and of what both have differently nothing is lost. The sides may be swapped: the outcome
 * is the same. Reads only what differs.
 */
export async function unionOf(batch: ObjectBatch, sides: Sides): Promise<string> {
  return unionAt(batch, "", sides);
}

async function unionAt(batch: ObjectBatch, folder: string, sides: Sides): Promise<string> {
  const { ours, theirs, base } = sides;
  if (ours !== undefined && (ours === theirs || theirs === undefined)) return ours;
  if (theirs !== undefined && ours === undefined) return theirs;
  const id = folder.replace("/", "");
  const isCheckpoint = folder.indexOf("/") === 2 && isCheckpointId(id);
  if (isCheckpoint && folder === checkpointPath(id)) {
    // Only one side changed it: that is the newer one.
    if (base !== undefined && theirs === base) return ours ?? base;
    if (base !== undefined && ours === base) return theirs ?? base;
    return mergeCheckpoint(batch, id, ours ?? "", theirs ?? "", (one, two) =>
      unionAt(batch, "?", { ours: one, theirs: two }),
    );
  }
  const [our, their, old] = await Promise.all([
    entriesOf(batch, ours),
    entriesOf(batch, theirs),
    entriesOf(batch, base),
  ]);
  const entries: TreeEntry[] = [];
  for (const name of new Set([...our.keys(), ...their.keys()])) {
    const [a, b] = [our.get(name), their.get(name)];
    const one = a ?? b;
    if (!one) continue;
    if (!a || !b || (a.id === b.id && a.mode === b.mode)) {
      entries.push(one);
    } else if (isFolder(a) && isFolder(b)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const before = old.get(name);
      const inner = { ours: a.id, theirs: b.id, base: isFolder(before) ? before?.id : undefined };
      entries.push({ ...a, id: await unionAt(batch, path, inner) });
    } else {
      entries.push(a.id > b.id ? a : b);
    }
  }
  return batch.writeTree(entries);
}
