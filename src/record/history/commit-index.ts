import { atRepo, type ObjectStore, runGit } from "../../git/index.ts";
import { type Checkpoint, readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { checkpointsTip } from "../checkpoint/tip.ts";

/** A line of `metadata.json`, with the place of the file before it. */
const LINE =
  /:([0-9a-f]{2}|[0-9A-Z]{2})\/([0-9A-Za-z]+)\/metadata\.json:\s*"commit_sha": *"([0-9a-f]+)"/;

/**
 * Ids of checkpoints by the commit each was recorded for, as far as it says so. One process,
 * however many there are, and no more than one file of each is read.
 */
export async function checkpointsByCommit(store: ObjectStore): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const tip = await checkpointsTip(store);
  if (tip === undefined) return found;
  const args = ["grep", "-I", "-F", "--no-color", "--full-name", "-e", '"commit_sha"', tip];
  const { stdout } = await runGit([...atRepo(store.repo), ...args, "--", FILES], {
    cwd: store.repo.gitDir,
  });
  for (const line of stdout.toString().split("\n")) {
    const [, start, rest, commit] = LINE.exec(line) ?? [];
    if (commit === undefined) continue;
    found.set(commit, [...(found.get(commit) ?? []), `${start}${rest}`]);
  }
  return found;
}

/** Of a checkpoint, not of the sessions in it. */
const FILES = ":(top,glob)*/*/metadata.json";

/** The checkpoints that were recorded for a commit, or followed it when it was rewritten. */
export async function checkpointsMadeFor(
  store: ObjectStore,
  commit: string,
): Promise<Checkpoint[]> {
  const ids = (await checkpointsByCommit(store)).get(commit) ?? [];
  const found = await Promise.all(
    ids.map((id) => readCheckpoint(store, id).catch(() => undefined)),
  );
  return found
    .filter((one) => one?.metadata.commit_sha === commit)
    .filter((one) => one !== undefined);
}
