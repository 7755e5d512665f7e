import { atRepo, type ObjectStore, runGit } from "../../git/index.ts";
import { isCheckpointId } from "../checkpoint/checkpoint-files.ts";
import { type Checkpoint, checkpointIds, readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { checkpointsTip } from "../checkpoint/tip.ts";

/** Commits on the ref that are read at a time: a checkpoint is often written twice. */
const PAGE = 200;

type Wanted = (checkpoint: Checkpoint) => boolean;

/**
 * Checkpoints, the one written last first. Reads no more of them than are asked for, unless those
 * that were imported have to be looked through as well.
 */
export async function latestCheckpoints(
  store: ObjectStore,
  limit: number,
  isWanted: Wanted = () => true,
): Promise<Checkpoint[]> {
  const tip = await checkpointsTip(store);
  if (tip === undefined) return [];
  const seen = new Set<string>();
  const found: Checkpoint[] = [];
  for (let skip = 0; found.length < limit; skip += PAGE) {
    const args = ["log", "--format=%s", `--skip=${skip}`, `--max-count=${PAGE}`, tip, "--"];
    const { stdout } = await runGit([...atRepo(store.repo), ...args], { cwd: store.repo.gitDir });
    const subjects = stdout.toString().split("\n").filter(Boolean);
    for (const subject of subjects) {
      const id = /\bcheckpoint: (\S+)$/i.exec(subject)?.[1];
      if (id === undefined || seen.has(id) || found.length >= limit) continue;
      seen.add(id);
      const checkpoint = await readable(store, id, tip);
      if (checkpoint && isWanted(checkpoint)) found.push(checkpoint);
    }
    if (subjects.length < PAGE) break;
  }
  if (found.length >= limit) return found;
  // An imported checkpoint has no commit of its own.
  const rest: Checkpoint[] = [];
  for (const id of await checkpointIds(store)) {
    const checkpoint = seen.has(id) ? undefined : await readable(store, id, tip);
    if (checkpoint && isWanted(checkpoint)) rest.push(checkpoint);
  }
  rest.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  return [...found, ...rest.slice(0, limit - found.length)];
}

/** When it was made, as far as it says so. */
export function timeOf({ sessions }: Checkpoint): string {
  return (
    sessions
      .map(({ metadata }) => metadata.created_at)
      .sort()
      .at(-1) ?? ""
  );
}

/** A checkpoint whose objects are missing must not hide the others. */
async function readable(
  store: ObjectStore,
  id: string,
  tip: string,
): Promise<Checkpoint | undefined> {
  return readCheckpoint(store, id, tip).catch(() => undefined);
}

/** Checkpoints whose id starts like this. */
export async function checkpointsNamed(store: ObjectStore, text: string): Promise<Checkpoint[]> {
  const tip = await checkpointsTip(store);
  if (tip === undefined) return [];
  const ids = isCheckpointId(text)
    ? [text]
    : (await checkpointIds(store)).filter((id) => id.startsWith(text));
  const found = await Promise.all(ids.map((id) => readCheckpoint(store, id, tip)));
  return found.filter((one) => one !== undefined);
}

/** All there are; reads the metadata of every one. */
export async function allCheckpoints(store: ObjectStore): Promise<Checkpoint[]> {
  const tip = await checkpointsTip(store);
  if (tip === undefined) return [];
  const found: Checkpoint[] = [];
  for (const id of await checkpointIds(store)) {
    const checkpoint = await readable(store, id, tip);
    if (checkpoint) found.push(checkpoint);
  }
  return found;
}
