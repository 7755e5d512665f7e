import { atRepo, editTree, git, ObjectBatch } from "../../git/index.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { RewindPlan } from "./plan.ts";

/** What a rewind changes, line by line, as git shows it. */
export async function rewindDiff(
  { repo, store }: RepoRecord,
  { tree, changes }: RewindPlan,
  colour: boolean,
): Promise<string> {
  const edits = changes.map(({ path, after }) => ({ path, entry: after ?? null }));
  const after = await editTree(new ObjectBatch(store), tree, edits);
  const args = [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    `--color=${colour ? "always" : "never"}`,
    tree,
    after,
  ];
  const output = await git([...atRepo(repo), ...args], { cwd: repo.workTree ?? repo.gitDir });
  return output.toString().trimEnd();
}
