import { atRepo, type ObjectStore, runGit } from "../../git/index.ts";

/** Those of `commits` that no commit of `from` has in its history. Missing ones are left out. */
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

/** Those of `commits` that have `commit` in their history. */
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
