import {
  editTree,
  ignoredPaths,
  type ObjectBatch,
  type RawPath,
  scanWorkTree,
  shownPath,
  storeFiles,
  type TreeChange,
  treeValueAt,
} from "../../git/index.ts";
import { isSecretFile } from "./secret-file.ts";

export interface WorkTree {
  readonly tree: string;
  /** Too big, unreadable or full of secrets: as they were in the tree before, or absent. */
  readonly leftOut: readonly string[];
}

/** Bigger files stay out of snapshots: git hosts refuse them, and no agent writes them by hand. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

interface Candidate {
  readonly path: RawPath;
  /** git does not know it yet, so nobody has decided that it may be in the repository. */
  readonly isNew: boolean;
  /** Another repository inside this one: the commit it is at. */
  readonly repository?: string | undefined;
}

/** The work tree as a tree, from a look at all of it. Costs what `git status` costs. */
export async function wholeWorkTree(
  batch: ObjectBatch,
  headTree: string | undefined,
): Promise<WorkTree> {
  const { changes } = await scanWorkTree(batch.repo);
  const candidates = changes.map(({ path, kind, id }) => ({
    path,
    isNew: kind === "untracked",
    repository: id,
  }));
  return treeWith(batch, headTree, candidates);
}

/** The work tree as a tree, if only these paths differ from an earlier one. */
export async function workTreeAt(
  batch: ObjectBatch,
  before: string,
  paths: readonly RawPath[],
): Promise<WorkTree> {
  const candidates: Candidate[] = [];
  for (const path of new Set(paths)) {
    const isNew = (await treeValueAt(batch, before, path)) === undefined;
    candidates.push({ path, isNew });
  }
  const added = candidates.filter(({ isNew }) => isNew).map(({ path }) => path);
  const ignored = await ignoredPaths(batch.repo, added);
  return treeWith(
    batch,
    before,
    candidates.filter(({ path }) => !ignored.has(path)),
  );
}

async function treeWith(
  batch: ObjectBatch,
  base: string | undefined,
  candidates: readonly Candidate[],
): Promise<WorkTree> {
  const leftOut: string[] = [];
  const changes: TreeChange[] = [];
  const wanted: RawPath[] = [];
  for (const { path, isNew, repository } of candidates) {
    if (repository !== undefined) changes.push({ path, entry: { mode: "160000", id: repository } });
    else if (isNew && isSecretFile(path)) leftOut.push(shownPath(path));
    else wanted.push(path);
  }
  for (const [path, file] of await storeFiles(batch, wanted, { maxBytes: MAX_FILE_BYTES })) {
    if (!("skipped" in file)) changes.push({ path, entry: { mode: file.mode, id: file.id } });
    else if (file.skipped === "missing") changes.push({ path, entry: null });
    else leftOut.push(shownPath(path));
  }
  return { tree: await editTree(batch, base, changes), leftOut };
}
