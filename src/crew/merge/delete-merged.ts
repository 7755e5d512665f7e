import { SeamError } from "../../errors/index.ts";
import { listRefs, openRepo } from "../../git/index.ts";
import { checkoutsOf } from "../history/checkouts.ts";
import { commitOf, isContained } from "../history/commits.ts";
import { moveRef } from "../history/move-ref.ts";

export interface DeletedBranches {
  readonly deleted: readonly string[];
  /** Branches with work that the target does not have, or that somebody has checked out. */
  readonly kept: readonly string[];
}

/** Deletes the branches of a run's tasks whose work the target contains, and no others. */
export async function deleteMerged(
  repository: string,
  run: string,
  target: string,
): Promise<DeletedBranches> {
  const repo = await openRepo(repository);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: repository });
  const whole = await commitOf(repo, `refs/heads/${target}`);
  const deleted: string[] = [];
  const kept: string[] = [];
  for (const { name, id } of await listRefs(repo, `refs/heads/seam/tasks/${run}/`)) {
    const branch = name.slice("refs/heads/".length);
    const isFree = (await checkoutsOf(repo, branch)).length === 0;
    const isDeletable = isFree && id !== undefined && (await isContained(repo, id, whole));
    // Only if it is still where it was looked at.
    const gone = isDeletable && (await moveRef(repo, name, null, id, "seam: merged")).ok;
    (gone ? deleted : kept).push(branch);
  }
  return { deleted, kept };
}
