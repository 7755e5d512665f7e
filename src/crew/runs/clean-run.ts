import { rmSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { headOf, openRepo, type Repo, readRef, updateRef } from "../../git/index.ts";
import { isContained } from "../history/commits.ts";
import type { Run } from "../model/run.ts";
import { bringMerged } from "./bring-merged.ts";
import { type CrewContext, crewFolder } from "./crew-context.ts";

/** What became of a run that was cleaned. */
export interface Cleaned {
  readonly run: string;
  readonly removed: readonly string[];
  /** Branches with work that is nowhere else. The run is kept for as long as there is one. */
  readonly kept: readonly string[];
  /** How many worktrees that were kept warm are gone with it. */
  readonly worktrees: number;
}

/**
 * Deletes the branches of a run whose work is somewhere else too: of a task if the run's branch has
 * it, the run's branch if the branch that is checked out has it. What is left of the run goes with
 * the last of them.
 */
export async function cleanRun(crew: CrewContext, run: Run): Promise<Cleaned> {
  const repo = await openRepo(run.repository);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: run.repository });
  await bringMerged(crew, run);
  const head = (await headOf(repo)).commit;
  const target = `refs/heads/${run.target}`;
  const tip = await readRef(repo, target);
  const removed: string[] = [];
  const kept: string[] = [];
  const sort = async (ref: string, places: readonly (string | undefined)[]) => {
    const isGone = await removeIfElsewhere(repo, ref, places);
    if (isGone !== undefined) (isGone ? removed : kept).push(ref.replace(/^refs\/heads\//, ""));
  };
  for (const { branch } of await crew.store.tasks(run.id)) {
    await sort(`refs/heads/${branch}`, [tip, head, run.base]);
  }
  await sort(target, [head, run.base]);
  if (kept.length === 0) {
    rmSync(join(crewFolder(crew.home), "runs", run.id), { recursive: true, force: true });
    await crew.store.deleteRun(run.id);
  }
  return { run: run.id, removed, kept, worktrees: await trimWorktrees(crew, run) };
}

/** Where no run is under way any more, nobody needs warm worktrees. */
async function trimWorktrees(crew: CrewContext, { repository }: Run): Promise<number> {
  const open = await crew.store.runs(["running", "waiting"]);
  if (open.some((run) => run.repository === repository)) return 0;
  return crew.repositories.poolAt(repository).trim();
}

/** Undefined if there is no such branch. */
async function removeIfElsewhere(
  repo: Repo,
  ref: string,
  places: readonly (string | undefined)[],
): Promise<boolean | undefined> {
  const commit = await readRef(repo, ref);
  if (commit === undefined) return undefined;
  for (const place of places) {
    if (place === undefined || !(await isContained(repo, commit, place))) continue;
    // Whoever moved it meanwhile has put something new into it.
    return (await updateRef(repo, ref, null, commit)).ok;
  }
  return false;
}
