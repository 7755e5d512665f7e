import type { RawPath } from "../paths/raw-path.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { runGit } from "../run/run-git.ts";
import { gitError } from "../run/spawn-git.ts";
import { nulPaths } from "./path-list.ts";

/**
 * Which of these paths git ignores. What is tracked is not ignored, whatever the rules say. Rules
 * are those of the work tree, or of another folder that stands for it.
 */
export async function ignoredPaths(
  repo: Repo,
  paths: readonly RawPath[],
  workTree = repo.workTree,
): Promise<ReadonlySet<RawPath>> {
  if (workTree === undefined || paths.length === 0) return new Set();
  const args = [...atRepo(repo), "--work-tree", workTree, "check-ignore", "-z", "--stdin"];
  const { stdout, stderr, code } = await runGit(args, { cwd: workTree, input: nulPaths(paths) });
  // 1 says that none is.
  if (code > 1) throw gitError(args, workTree, stderr.trim());
  const names = stdout.toString("latin1").split("\0") as RawPath[];
  return new Set(names.filter((name) => name !== ""));
}
