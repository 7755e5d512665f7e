import { readRef } from "../../git/index.ts";
import { moveRef } from "../history/move-ref.ts";
import { sharedBy } from "./slot-tree.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Lets a task's branch begin anew where the task began; the files of the workspace stay. What was
 * committed so far is kept aside on this machine, and no merge brings it along.
 */
export async function beginBranchAnew(workspace: Workspace): Promise<void> {
  const { branch, base, run, task } = workspace;
  const repo = sharedBy(workspace.repo);
  const ref = `refs/heads/${branch}`;
  const tip = await readRef(repo, ref);
  if (tip === undefined || tip === base) return;
  const why = "seam: begun anew without secrets";
  await moveRef(repo, `refs/seam/crew/set-aside/${run}/${task}`, tip, undefined, why);
  await moveRef(repo, ref, base, tip, why);
}
