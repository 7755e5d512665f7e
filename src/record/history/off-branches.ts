import { atRepo, type ObjectStore, runGit, trailersOf } from "../../git/index.ts";
import type { Checkpoint } from "../checkpoint/read-checkpoint.ts";
import { timeOf } from "./checkpoints.ts";
import { CHECKPOINT_TRAILERS } from "./find-checkpoints.ts";

/** Everything that people and git itself know by name; Seam's own references keep nothing alive. */
const NAMED = ["--exclude=refs/seam/*", "--exclude=refs/stash", "--all"];

/**
 * Of these checkpoints, those whose commit is here, but on no branch and under no tag: it was reset
 * away, or its branch was deleted. One whose trailer another commit carries on is not among them.
 */
export async function offBranches(
  { repo }: ObjectStore,
  checkpoints: readonly Checkpoint[],
): Promise<Set<string>> {
  const made = checkpoints.filter(({ metadata }) => COMMIT_ID.test(metadata.commit_sha ?? ""));
  if (made.length === 0) return new Set();
  const git = (...args: string[]) => runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
  const shas = made.map(({ metadata: { commit_sha = "" } }) => commit_sha);
  const unreached = await git("rev-list", "--ignore-missing", ...shas, "--not", ...NAMED, "--");
  const listed = new Set(unreached.stdout.toString().split("\n"));
  const off = made.filter(({ metadata: { commit_sha = "" } }) => listed.has(commit_sha));
  if (off.length === 0) return new Set();
  const names = off.map(({ id }) => `--grep=${id}`);
  const [first = ""] = off.map(timeOf).sort();
  const since = `--since=${first}`;
  const carried = await git("log", "-z", "-F", "--format=%B", since, ...names, ...NAMED, "--");
  const told = new Set(
    carried.stdout
      .toString()
      .split("\0")
      .flatMap((text) => CHECKPOINT_TRAILERS.flatMap((key) => trailersOf(text, key))),
  );
  return new Set(off.map(({ id }) => id).filter((id) => !told.has(id)));
}

const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
