import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  type CommitFacts,
  git,
  identityOf,
  looseCommit,
  ObjectStore,
  type Repo,
  readRef,
  runGit,
} from "../../git/index.ts";

/** What git prints about the repository, in one line. */
async function line(repo: Repo, args: readonly string[]): Promise<string> {
  const output = await git([...atRepo(repo), ...args], { cwd: repo.gitDir });
  return output.toString().trim();
}

/** The commit that a name leads to. */
export async function commitOf(repo: Repo, name: string): Promise<string> {
  // A branch leads to a commit, and that is known without git.
  const tip = name.startsWith("refs/heads/") ? await readRef(repo, name) : undefined;
  if (tip !== undefined) return tip;
  const args = [...atRepo(repo), "rev-parse", "--verify", "--quiet", "--end-of-options"];
  const { stdout, code } = await runGit([...args, `${name}^{commit}`], { cwd: repo.gitDir });
  if (code === 0) return stdout.toString().trim();
  throw new SeamError("SEAM_CREW_COMMIT", { name, path: repo.workTree ?? repo.gitDir });
}

export async function treeOf(repo: Repo, commit: string): Promise<string> {
  const known = looseCommit(repo, commit)?.tree;
  return known ?? line(repo, ["rev-parse", "--verify", `${commit}^{tree}`]);
}

/** A longer line is git's to follow. */
const MOST_STEPS = 50;

/**
 * The commits that were made one after the other upon a commit, the last one first. Undefined: it is
 * no such line, or not one of a few commits that were written lately, so git has to be asked.
 */
export function lineFrom(repo: Repo, start: string, end: string): CommitFacts[] | undefined {
  const found: CommitFacts[] = [];
  for (let at = end; at !== start; ) {
    const commit = looseCommit(repo, at);
    const [parent, ...others] = commit?.parents ?? [];
    if (!commit || parent === undefined || others.length > 0) return undefined;
    if (found.push(commit) > MOST_STEPS) return undefined;
    at = parent;
  }
  return found;
}

/** Whether a commit is another one, or in its history. */
export async function isContained(repo: Repo, commit: string, whole: string): Promise<boolean> {
  if (commit === whole) return true;
  const args = ["merge-base", "--is-ancestor", commit, whole];
  const { code } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
  return code === 0;
}

/** The last commit that two have in common; undefined if there is none. */
export async function forkOf(repo: Repo, one: string, other: string): Promise<string | undefined> {
  const args = [...atRepo(repo), "merge-base", one, other];
  const { stdout, code } = await runGit(args, { cwd: repo.gitDir });
  return code === 0 ? stdout.toString().trim() : undefined;
}

/** Those commits that are not in the history of another one of them, each once, in their order. */
export async function independent(repo: Repo, commits: readonly string[]): Promise<string[]> {
  const each = [...new Set(commits)];
  if (each.length < 2) return each;
  const found = new Set((await line(repo, ["merge-base", "--independent", ...each])).split("\n"));
  return each.filter((commit) => found.has(commit));
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Writes a commit in the name of whoever works here. No hook runs, and nothing is signed. */
export async function writeCommit(repo: Repo, { tree, parents, message }: NewCommit) {
  const author = await identityOf(repo);
  const store = new ObjectStore(repo);
  try {
    const text = message.endsWith("\n") ? message : `${message}\n`;
    return await store.writeCommit({ tree, parents, author, committer: author, message: text });
  } finally {
    await store.close();
  }
}
