import { atRepo, type Repo } from "../repo/repo.ts";
import { runGit } from "../run/run-git.ts";
import { readLooseRef } from "./loose-ref.ts";
import { readRefFiles } from "./read-ref.ts";

export interface Head {
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** Without `refs/heads/`; undefined when detached. */
  readonly branch: string | undefined;
  readonly detached: boolean;
  /** On a branch that has no commit yet. */
  readonly unborn: boolean;
}

/** Where HEAD is. Throws when it or the branch is damaged. */
export async function headOf(repo: Repo): Promise<Head> {
  const value = repo.refFormat === "files" ? readLooseRef(repo, "HEAD") : undefined;
  if (value && "id" in value) return head(value.id, undefined);
  // A name that is not UTF-8 cannot be turned back into a path.
  if (value === undefined || value.target.includes("\uFFFD")) return askGit(repo);
  return head(readRefFiles(repo, value.target), value.target);
}

async function askGit(repo: Repo): Promise<Head> {
  const ask = async (...args: string[]) => {
    const { stdout, code } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
    return code === 0 ? stdout.toString().trim() : undefined;
  };
  const [target, commit] = await Promise.all([
    ask("symbolic-ref", "--quiet", "HEAD"),
    ask("rev-parse", "--verify", "--quiet", "HEAD"),
  ]);
  return head(commit, target);
}

function head(commit: string | undefined, target: string | undefined): Head {
  const branch = target?.replace(/^refs\/heads\//, "");
  return { commit, branch, detached: target === undefined, unborn: commit === undefined };
}
