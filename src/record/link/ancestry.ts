import { atRepo, type ObjectStore, runGit } from "../../git/index.ts";

/** Those of the commits that cannot be reached from any of these. One that is missing is not told. */
export async function outsideOf(
  { repo }: ObjectStore,
  commits: readonly string[],
  from: readonly string[],
): Promise<Set<string>> {
  if (commits.length === 0) return new Set();
  const args = ["rev-list", "--ignore-missing", ...commits, "--not", ...from, "--"];
  const { stdout } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
  return among(commits, stdout);
}

/** Those of the commits that were made upon one, however long after it. */
export async function descendantsOf(
  { repo }: ObjectStore,
  commit: string,
  commits: readonly string[],
): Promise<Set<string>> {
  if (commits.length === 0) return new Set();
  const args = ["rev-list", "--ignore-missing", "--ancestry-path", ...commits, "--not", commit];
  const { stdout } = await runGit([...atRepo(repo), ...args, "--"], { cwd: repo.gitDir });
  return among(commits, stdout);
}

function among(commits: readonly string[], listed: Buffer): Set<string> {
  const all = new Set(listed.toString().split("\n"));
  return new Set(commits.filter((commit) => all.has(commit)));
}
