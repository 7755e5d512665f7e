import { SeamError } from "../../errors/index.ts";
import type { Repo } from "../../git/index.ts";
import { independent, writeCommit } from "./commits.ts";
import { mergeTrees } from "./merge-trees.ts";

/**
 * One commit that has the work of all of these. Where none of them has all of it already, it is a
 * new commit with those as its parents. Throws if they do not fit together.
 */
export async function mergeBases(repo: Repo, commits: readonly string[]): Promise<string> {
  const [first, ...others] = await independent(repo, commits);
  if (first === undefined) throw new SeamError("SEAM_CREW_COMMIT", { name: "", path: repo.gitDir });
  let at = first;
  const parents = [first];
  for (const other of others) {
    const merged = await mergeTrees(repo, at, other);
    if ("conflict" in merged) {
      throw new SeamError("SEAM_CREW_BASE", { detail: merged.conflict.words.join("; ") });
    }
    parents.push(other);
    const message = `Start from ${parents.length} tasks\n`;
    at = await writeCommit(repo, { tree: merged.tree, parents, message });
  }
  return at;
}
