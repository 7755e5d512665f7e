import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../../files/index.ts";
import { atRepo, git, ownFilters, type Repo } from "../../git/index.ts";

/** The work trees in which a branch is checked out: whoever moves it moves it under them. */
export async function checkoutsOf(repo: Repo, branch: string): Promise<string[]> {
  const ref = `refs/heads/${branch}`;
  if (repo.refFormat !== "files") return askGit(repo, ref);
  const { commonDir } = repo;
  const isOn = (gitDir: string) => readText(join(gitDir, "HEAD"))?.trim() === `ref: ${ref}`;
  const linked = worktreesIn(commonDir).filter(isOn);
  const found = linked.flatMap((gitDir) => {
    const dotGit = readText(join(gitDir, "gitdir"))?.trim();
    return dotGit ? [dirname(dotGit)] : [];
  });
  // Where the main one is, and whether there is one, git alone knows in all cases.
  return isOn(commonDir) ? askGit(repo, ref) : found;
}

function worktreesIn(commonDir: string): string[] {
  try {
    return readdirSync(join(commonDir, "worktrees")).map((id) => join(commonDir, "worktrees", id));
  } catch {
    return [];
  }
}

/** Paragraphs of lines: `worktree <path>`, `HEAD <id>`, `branch <ref>`, or `bare` for none at all. */
async function askGit(repo: Repo, ref: string): Promise<string[]> {
  const args = [...atRepo(repo), "worktree", "list", "--porcelain"];
  const settings = await ownFilters(repo);
  const text = (await git(args, { cwd: repo.gitDir, settings })).toString();
  return text.split("\n\n").flatMap((paragraph) => {
    const lines = paragraph.split("\n");
    const path = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    return path !== undefined && lines.includes(`branch ${ref}`) ? [path] : [];
  });
}
