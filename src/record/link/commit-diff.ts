import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  atRepo,
  diffTrees,
  git,
  indexTree,
  type ObjectStore,
  pathFromShown,
  type Repo,
  rawPath,
  runGit,
  shownPath,
  type TreeDifference,
  TreeLookup,
  type TreeValue,
  workPath,
} from "../../git/index.ts";
import type { LinkInput, Staged } from "./link.ts";

const NOTHING = /^0+$/;

/** What a commit would change if it were made from the index now. */
export async function stagedChanges(
  store: ObjectStore,
  repo: Repo,
  head: string | undefined,
  indexFile: string | undefined,
): Promise<Staged> {
  return (await notedChanges(store, repo, head, indexFile)) ?? askGit(repo, head, indexFile);
}

/** A person waits for a commit: where git has noted the tree of the index, no git is started to compare it. */
async function notedChanges(
  store: ObjectStore,
  repo: Repo,
  head: string | undefined,
  indexFile = join(repo.gitDir, "index"),
): Promise<Staged | undefined> {
  const file = resolve(repo.workTree ?? repo.gitDir, indexFile);
  const tree = head === undefined ? undefined : indexTree(file, repo.objectFormat);
  if (tree === undefined) return undefined;
  try {
    const before = (await store.info(`${head}^{tree}`))?.id;
    return before === undefined ? undefined : changesOf(await diffTrees(store, before, tree));
  } catch {
    // The tree was noted and never written: git compares without it.
    return undefined;
  }
}

async function askGit(
  repo: Repo,
  head: string | undefined,
  indexFile: string | undefined,
): Promise<Staged> {
  const cwd = repo.workTree ?? repo.gitDir;
  const env = indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile };
  if (head === undefined) {
    const listed = await git([...atRepo(repo), "ls-files", "--stage", "-z"], { cwd, env });
    const entries = listed.toString("latin1").split("\0").filter(Boolean);
    return new Map(
      entries.map((entry) => {
        const tab = entry.indexOf("\t");
        return [shown(entry.slice(tab + 1)), entry.slice(0, tab).split(" ")[1] ?? null];
      }),
    );
  }
  const args = [
    ...atRepo(repo),
    "diff-index",
    "--cached",
    "--raw",
    "-z",
    "--no-renames",
    "--no-abbrev",
    head,
  ];
  const { stdout } = await runGit(args, { cwd, env });
  const fields = stdout.toString("latin1").split("\0");
  const staged = new Map<string, string | null>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, , , blob = "", status] = (fields[i] ?? "").split(" ");
    staged.set(shown(fields[i + 1] ?? ""), status === "D" || NOTHING.test(blob) ? null : blob);
  }
  return staged;
}

/** What a commit changes. */
export async function commitChanges(
  store: ObjectStore,
  { tree, parents }: { readonly tree: string; readonly parents: readonly string[] },
): Promise<Staged> {
  const [parent, ...others] = parents;
  const before = parent === undefined ? undefined : (await store.info(`${parent}^{tree}`))?.id;
  const changed = changesOf(await diffTrees(store, before, tree));
  // Of a merge, only what neither side has was done in the merge itself.
  for (const other of others) {
    const merged = (await store.info(`${other}^{tree}`))?.id;
    const trees = new TreeLookup(store);
    for (const [path, blob] of changed) {
      if (((await trees.at(merged, pathFromShown(path)))?.id ?? null) === blob)
        changed.delete(path);
    }
  }
  return changed;
}

function changesOf(differences: readonly TreeDifference[]): Map<string, string | null> {
  return new Map(differences.map(({ path, after }) => [shownPath(path), after?.id ?? null]));
}

/** Whether a path of a commit is something else than when a session's turn began. */
export function newInTurn(store: ObjectStore): NonNullable<LinkInput["isNewInTurn"]> {
  const trees = new TreeLookup(store);
  return async ({ turn_start_tree: start }, path, blob) =>
    start === undefined || ((await trees.at(start, pathFromShown(path)))?.id ?? null) !== blob;
}

/** Files bigger than this are compared by their blobs alone. */
const MAX_COMPARED_BYTES = 1024 * 1024;
/** Shorter lines prove nothing: a bracket is in every file. */
const MIN_LINE_LENGTH = 4;

/** Whether content of a commit holds a line that a session added to the file. */
export function lineComparer(
  store: ObjectStore,
  baseTree: string | undefined,
): LinkInput["holdsLinesOf"] {
  const trees = new TreeLookup(store);
  return async (path, { blob }, staged) => {
    if (blob === null) return false;
    const [added, now] = await Promise.all([
      addedLines(store, await trees.at(baseTree, pathFromShown(path)), blob),
      linesOf(store, staged),
    ]);
    return now !== undefined && added.some((line) => now.has(line));
  };
}

/** Lines of a file that were not in what it was before; none if they cannot be told. */
async function addedLines(
  store: ObjectStore,
  base: TreeValue | undefined,
  blob: string,
): Promise<string[]> {
  const [before, written] = await Promise.all([
    base ? linesOf(store, base.id) : new Set<string>(),
    linesOf(store, blob),
  ]);
  return before && written ? [...written].filter((line) => !before.has(line)) : [];
}

/**
 * Whether a file that a commit took up in another form still waits for the next one: lines of the
 * session are not in the commit but in the work tree, as after staging a part of them.
 */
export function stillWaits(repo: Repo, store: ObjectStore, baseTree: string | undefined) {
  const trees = new TreeLookup(store);
  return async (path: string, written: string | null, committed: string | null) => {
    if (written === null || committed === null || repo.workTree === undefined) return false;
    const [added, taken] = await Promise.all([
      addedLines(store, await trees.at(baseTree, pathFromShown(path)), written),
      linesOf(store, committed),
    ]);
    const left = added.filter((line) => !taken?.has(line));
    if (!taken || left.length === 0) return false;
    const now = linesIn(smallFile(workPath(repo.workTree, pathFromShown(path))) ?? "");
    return left.some((line) => now.has(line));
  };
}

function smallFile(path: Buffer): string | undefined {
  try {
    const stats = statSync(path);
    const isSmall = stats.isFile() && stats.size <= MAX_COMPARED_BYTES;
    return isSmall ? readFileSync(path, "latin1") : undefined;
  } catch {
    return undefined;
  }
}

async function linesOf(store: ObjectStore, id: string): Promise<Set<string> | undefined> {
  const info = await store.info(id);
  if (info?.type !== "blob" || info.size > MAX_COMPARED_BYTES) return undefined;
  return linesIn((await store.read(id))?.content.toString("latin1") ?? "");
}

function linesIn(text: string): Set<string> {
  const lines = text.split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line.length >= MIN_LINE_LENGTH));
}

const shown = (path: string) => shownPath(rawPath(Buffer.from(path, "latin1")));
