import { statSync } from "node:fs";
import { atRepo, listRefs, type Repo, runGit } from "../../git/index.ts";
import { CHECKPOINTS_REF, TURNS_PREFIX } from "../checkpoint/metadata.ts";
import { REWIND_PREFIX } from "../rewind/saved-state.ts";
import { seamDirOf } from "../seam-dir.ts";
import { StateStore } from "../session/state-store.ts";
import { onlyIn } from "./clean.ts";

/** How much there is of something, and since when. */
export interface Kept {
  readonly count: number;
  /** On the disk; of git objects, those that nothing else leads to. */
  readonly bytes: number;
  /** ISO, of the oldest. */
  readonly since?: string;
}

/** What Seam keeps in a repository. */
export interface KeptInRepo {
  readonly checkpoints: Omit<Kept, "count">;
  /** `count`: sessions with turns. */
  readonly turns: Kept;
  readonly rewinds: Kept;
  /** States of sessions. */
  readonly states: Kept;
}

export async function keptInRepo(repo: Repo): Promise<KeptInRepo> {
  const { count: _, ...checkpoints } = await keptBy(repo, CHECKPOINTS_REF);
  return {
    checkpoints,
    turns: await keptBy(repo, TURNS_PREFIX),
    rewinds: await keptBy(repo, REWIND_PREFIX),
    states: states(repo),
  };
}

/** What references with this beginning lead to and nothing else does. */
async function keptBy(repo: Repo, prefix: string): Promise<Kept> {
  const own = (await listRefs(repo, prefix)).flatMap(({ name, id }) => (id ? [{ name, id }] : []));
  if (own.length === 0) return { count: 0, bytes: 0 };
  // The oldest of each has no parent of the same kind: of rewinds it is a commit of the user's.
  const isOld = prefix === REWIND_PREFIX ? ["--no-walk"] : ["--max-parents=0"];
  const args = ["log", "--format=%ct", ...isOld, ...own.map(({ id }) => id), "--"];
  const { stdout } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
  const oldest = Math.min(...stdout.toString().split("\n").filter(Boolean).map(Number));
  return {
    count: own.length,
    bytes: await onlyIn(repo, own),
    ...(Number.isFinite(oldest) && { since: new Date(oldest * 1000).toISOString() }),
  };
}

function states(repo: Repo): Kept {
  const store = new StateStore(seamDirOf(repo));
  const all = store.all();
  const bytes = all.reduce(
    (sum, state) => sum + (statSync(store.pathOf(state), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const [since] = all.map(({ started_at }) => started_at).sort();
  return { count: all.length, bytes, ...(since !== undefined && { since }) };
}
