import { atRepo, type Repo } from "../repo/repo.ts";
import { gitError, spawnGit, startError } from "../run/spawn-git.ts";

/**
 * A hash of what a commit changes, the same after a rebase or a cherry-pick. Undefined for merges
 * and commits that change nothing.
 */
export async function patchId(repo: Repo, commit: string): Promise<string | undefined> {
  const diff = [
    ...[...atRepo(repo), "diff-tree", "-p", "--root", "--full-index"],
    ...["--no-ext-diff", "--no-textconv", "--no-renames", commit, "--"],
  ];
  const hash = [...atRepo(repo), "patch-id", "--stable"];
  // The one feeds the other: the text of a patch may be bigger than what fits in memory.
  const differ = spawnGit(diff, repo.gitDir, { GIT_ALLOW_PROTOCOL: "none" });
  const hasher = spawnGit(hash, repo.gitDir);
  differ.stdin.end();
  hasher.stdin.on("error", () => {});
  differ.stdout.pipe(hasher.stdin);
  const [output] = await Promise.all([
    outputOf(hasher, hash, repo.gitDir),
    outputOf(differ, diff, repo.gitDir, false),
  ]);
  return /^[0-9a-f]+/.exec(output)?.[0];
}

function outputOf(
  child: ReturnType<typeof spawnGit>,
  args: readonly string[],
  cwd: string,
  collects = true,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, stderr] = ["", ""];
    if (collects) child.stdout.on("data", (chunk: Buffer) => (output += chunk));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
    child.on("error", (error) => reject(startError(error, args, cwd)));
    child.on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(gitError(args, cwd, stderr.trim() || `exit code ${code}`));
    });
  });
}
