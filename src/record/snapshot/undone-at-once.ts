import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  atRepo,
  diffTrees,
  type ObjectBatch,
  type Repo,
  runGit,
  type TreeChange,
  TreeLookup,
  type TreeValue,
} from "../../git/index.ts";

/**
 * What somebody took back of the turn's commits after its end, before the work tree was looked at: the
 * files that these commits changed and that are now as they were when the turn began, as the commits
 * had them. Agents do not wait until the work tree was looked at.
 */
export async function undoneAtOnce(
  batch: ObjectBatch,
  { at, start, tree }: { readonly at: string; readonly start: string; readonly tree: string },
): Promise<TreeChange[]> {
  const { repo } = batch;
  const head = headBefore(repo, at);
  if (head === undefined || (await isReachable(repo, head))) return [];
  const committed = (await batch.store.info(`${head}^{tree}`))?.id;
  const trees = new TreeLookup(batch);
  const undone: TreeChange[] = [];
  for (const { path, before, after } of await diffTrees(batch, start, committed ?? start)) {
    if (isSame(await trees.at(tree, path), before)) undone.push({ path, entry: after ?? null });
  }
  return undone;
}

const isSame = (a: TreeValue | undefined, b: TreeValue | undefined) =>
  a?.id === b?.id && a?.mode === b?.mode;

/** The commit that HEAD was moved away from last, if that was after this moment. */
function headBefore({ gitDir }: Repo, at: string): string | undefined {
  try {
    const log = join(gitDir, "logs", "HEAD");
    // The lines themselves tell only the second.
    if (statSync(log).mtimeMs <= Date.parse(at)) return undefined;
    const last = readFileSync(log, "latin1").trimEnd().split("\n").at(-1) ?? "";
    return LINE.exec(last)?.[1];
  } catch {
    return undefined;
  }
}

const LINE = /^([0-9a-f]{40,64}) [0-9a-f]{40,64} /;

async function isReachable(repo: Repo, commit: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", commit, "HEAD"];
  const { code } = await runGit([...atRepo(repo), ...args], { cwd: repo.gitDir });
  return code !== 1;
}
