import { messageOf, SeamError } from "../../errors/index.ts";
import { openRepo, readRef } from "../../git/index.ts";
import { isContained } from "../history/commits.ts";
import type { Run } from "../model/run.ts";
import type { CrewContext } from "./crew-context.ts";

/**
 * Other machines of a pool merge as well: what they made has to be here before it is taken for all there
 * is. A remote that cannot be reached hinders that only where something is missing.
 */
export async function bringMerged(crew: CrewContext, run: Run): Promise<void> {
  try {
    await crew.repositories.fetch(run);
  } catch (error) {
    if (await isWhole(crew, run)) return;
    const detail = `what other machines merged is not here, and ${messageOf(error)}`;
    throw new SeamError("SEAM_CREW_STATE", { detail, hint: "Try it again when it can." });
  }
}

/** Whether the branch of a run has all that counts as merged. */
async function isWhole(crew: CrewContext, run: Run): Promise<boolean> {
  const repo = await openRepo(run.repository);
  const tip = repo && (await readRef(repo, `refs/heads/${run.target}`));
  if (!repo || tip === undefined) return false;
  for (const { mergedAs } of await crew.store.tasks(run.id)) {
    if (mergedAs !== undefined && !(await isContained(repo, mergedAs, tip))) return false;
  }
  return true;
}
