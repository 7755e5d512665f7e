import { type ObjectStore, readRef, runGit } from "../../git/index.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { isCheckpointId } from "../checkpoint/place.ts";
import { type Checkpoint, checkpointIds, readCheckpoint } from "../checkpoint/read-checkpoint.ts";

/** Commits on the ref that are read at a time: a checkpoint is often written twice. */
const PAGE = 200;

/** Checkpoints, the one written last first. */
export async function latestCheckpoints(store: ObjectStore, limit: number): Promise<Checkpoint[]> {
  const tip = await readRef(store.repo, CHECKPOINTS_REF);
  if (tip === undefined) return [];
  const found = new Map<string, Checkpoint>();
  for (let skip = 0; found.size < limit; skip += PAGE) {
    const args = ["log", "--format=%s", `--skip=${skip}`, `--max-count=${PAGE}`, tip];
    const { stdout } = await runGit(args, { cwd: store.repo.commonDir });
    const subjects = stdout.toString().split("\n").filter(Boolean);
    for (const subject of subjects) {
      const id = /\bcheckpoint: (\S+)$/i.exec(subject)?.[1];
      if (id === undefined || found.has(id) || found.size >= limit) continue;
      const checkpoint = await readCheckpoint(store, id, tip);
      if (checkpoint) found.set(id, checkpoint);
    }
    if (subjects.length < PAGE) break;
  }
  if (found.size >= limit) return [...found.values()];
  // What was brought in from elsewhere has no commit of its own.
  for (const id of await checkpointIds(store)) {
    if (found.size >= limit) break;
    if (found.has(id)) continue;
    const checkpoint = await readCheckpoint(store, id, tip);
    if (checkpoint) found.set(id, checkpoint);
  }
  return [...found.values()];
}

/** Checkpoints whose id starts like this. */
export async function checkpointsNamed(store: ObjectStore, text: string): Promise<Checkpoint[]> {
  const tip = await readRef(store.repo, CHECKPOINTS_REF);
  if (tip === undefined) return [];
  const ids = isCheckpointId(text)
    ? [text]
    : (await checkpointIds(store)).filter((id) => id.startsWith(text));
  const found = await Promise.all(ids.map((id) => readCheckpoint(store, id, tip)));
  return found.filter((one) => one !== undefined);
}

/** All there are; reads the metadata of every one. */
export async function allCheckpoints(store: ObjectStore): Promise<Checkpoint[]> {
  const tip = await readRef(store.repo, CHECKPOINTS_REF);
  if (tip === undefined) return [];
  const found: Checkpoint[] = [];
  for (const id of await checkpointIds(store)) {
    const checkpoint = await readCheckpoint(store, id, tip);
    if (checkpoint) found.push(checkpoint);
  }
  return found;
}
