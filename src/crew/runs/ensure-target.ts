import { openRepo, readRef, updateRef } from "../../git/index.ts";
import type { Run } from "../model/run.ts";
import type { CrewContext } from "./crew-context.ts";

/** The branch on which everything comes together. Made once, at the commit the run began with. */
export async function ensureTarget({ repositories }: CrewContext, run: Run): Promise<void> {
  const repo = await openRepo(run.repository);
  if (!repo) return;
  const ref = `refs/heads/${run.target}`;
  if ((await readRef(repo, ref)) === undefined) {
    await updateRef(repo, ref, run.base, null);
    await repositories.push(run, run.target);
  }
}
