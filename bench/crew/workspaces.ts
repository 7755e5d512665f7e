import { rmSync } from "node:fs";
import { join } from "node:path";
import { WorkspacePool } from "../../src/crew/workspaces/workspace-pool.ts";
import { atMost, type Case, interleave, medians, ratio } from "../frame.ts";
import type { BigProject } from "./big-project.ts";

const ROUNDS = { rounds: 3, warmUps: 0 };

/** What it takes to get a workspace that was used before, beside a worktree made anew. */
export async function* workspaceCases(
  { project, first, second }: BigProject,
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("workspaces");
  const pool = new WorkspacePool({ repository: project.root, home: join(folder, "crew/.seam") });
  const tree = join(folder, "added");
  let at = 0;
  const anew = async () => {
    const ms = await project.time("git", "worktree", "add", "-q", "--detach", tree, second);
    project.git("worktree", "remove", "--force", tree);
    return ms;
  };
  const warm = async () => {
    const task = `t${++at}`;
    const base = at % 2 === 0 ? first : second;
    const startedAt = performance.now();
    const workspace = await pool.take({
      run: "bench",
      task,
      branch: `seam/tasks/bench/${task}`,
      base,
    });
    const ms = performance.now() - startedAt;
    await pool.release(workspace);
    return ms;
  };
  await warm();
  const series = await interleave({ "git worktree add": anew, "warm workspace": warm }, ROUNDS);
  yield atMost({
    name: "warm workspace of 50,000 files, 200 of them changed",
    value: ratio(series["warm workspace"], series["git worktree add"]),
    bar: 0.2,
    unit: "times git worktree add",
    detail: medians(series, "ms"),
  });
  await pool.trim();
  rmSync(tree, { recursive: true, force: true });
}
