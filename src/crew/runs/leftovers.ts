import { listRefs, openRepo } from "../../git/index.ts";
import type { Run } from "../model/run.ts";
import type { CrewContext } from "./crew-context.ts";

/** What crews left in one repository in which none is under way any more. */
export interface Leftovers {
  readonly repository: string;
  /** Runs that are over and still have branches. */
  readonly runs: readonly { readonly run: string; readonly branches: readonly string[] }[];
  /** Branches of runs that nobody knows any more. */
  readonly strays: readonly string[];
  /** Worktrees that are kept warm for the next run. */
  readonly worktrees: number;
}

const HEADS = "refs/heads/";
/** seam/crew/<run>, and seam/tasks/<run>/<task>. */
const OF_A_RUN = /^seam\/(?:crew|tasks)\/([^/]+)/;

/** Looks at every repository that runs were started in on this machine. */
export async function leftovers({
  store,
  repositories,
  worker,
}: CrewContext): Promise<Leftovers[]> {
  const all = (await store.runs()).filter(({ origin }) => origin === worker);
  const found: Leftovers[] = [];
  for (const repository of new Set(all.map((run) => run.repository))) {
    const known = all.filter((run) => run.repository === repository);
    if (known.some(({ endedAt }) => endedAt === undefined)) continue;
    const repo = await openRepo(repository).catch(() => undefined);
    if (!repo) continue;
    const refs = await listRefs(repo, `${HEADS}seam/`);
    const branches = refs.map(({ name }) => name.slice(HEADS.length));
    const worktrees = await repositories.poolAt(repository).spare();
    const left = { repository, ...sorted(branches, known), worktrees };
    if (left.runs.length + left.strays.length + worktrees > 0) found.push(left);
  }
  return found;
}

function sorted(branches: readonly string[], known: readonly Run[]) {
  const runOf = (branch: string) => OF_A_RUN.exec(branch)?.[1];
  const runs = known.map(({ id }) => ({
    run: id,
    branches: branches.filter((b) => runOf(b) === id),
  }));
  return {
    runs: runs.filter((one) => one.branches.length > 0),
    strays: branches.filter((branch) => {
      const run = runOf(branch);
      return run !== undefined && !known.some(({ id }) => id === run);
    }),
  };
}
