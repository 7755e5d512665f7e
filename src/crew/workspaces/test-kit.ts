/** What the tests of workspaces and merges share: a repository, and a pool for it. */
import { join } from "node:path";
import { type Files, type InitOptions, run, tempDir, withFiles } from "../../git/test-kit/index.ts";
import type { Proof } from "../model/run.ts";
import { type PoolOptions, type TakeRequest, WorkspacePool } from "./workspace-pool.ts";

export const FILES: Files = { a: "1\n", "folder/b": "1\n", ".gitignore": "built\n.env\n" };

/** A repository with a pool, far from the user's. */
export function crewRepository(files: Files = FILES, init?: InitOptions) {
  const root = withFiles(files, init);
  const home = join(tempDir(), ".seam");
  return {
    ...poolFor({ repository: root, home }),
    root,
    home,
    base: run(root, "rev-parse", "HEAD"),
  };
}

export function poolFor(options: PoolOptions) {
  const pool = new WorkspacePool(options);
  const take = (task: string, more: Partial<TakeRequest> = {}) =>
    pool.take({ run: "r", task, branch: branchOf(task), base: "main", ...more });
  return { pool, take };
}

export const branchOf = (task: string) => `seam/tasks/r/${task}`;

export const passing = async (commit: string): Promise<Proof> => ({
  passed: true,
  commit,
  checks: [],
});
