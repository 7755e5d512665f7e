import { existsSync, rmSync } from "node:fs";
import { messageOf, SeamError } from "../../errors/index.ts";
import { ownFilters, type RawPath, shownPath, unfilteredPaths } from "../../git/index.ts";
import { isSecretFile } from "../../record/index.ts";
import { nestedIn, saveNested } from "./nested-repositories.ts";
import { listed, ownIndexOf, type SlotTree, slotGit } from "./slot-git.ts";
import { outsideOf } from "./sparse.ts";

export interface Added {
  readonly tree: string;
  /** What is in the worktree and must not get into git through Seam. */
  readonly leftOut: readonly RawPath[];
  /** Files that differ from what the task began with. */
  readonly changed: readonly string[];
}

/**
 * The tree of everything in a worktree that git does not ignore, in the form `git add --all` gives
 * it. `tip` is what the index is made from if Seam's own one is missing or broken, `base` what the
 * task began with; `keepAt` is where the history of repositories inside the worktree is kept.
 */
export async function addAll(
  tree: SlotTree,
  { tip, base, keepAt }: { readonly tip: string; readonly base: string; readonly keepAt: string },
  note: (text: string) => void,
): Promise<Added> {
  const untracked = await untrackedIn(tree, tip);
  const secret = untracked.filter((path) => !path.endsWith("/") && isSecretFile(path));
  for (const path of secret) {
    note(`${shownPath(path)} was not saved: files of that name hold secrets.`);
  }
  const unfiltered = await unfilteredIn(tree, untracked);
  for (const path of unfiltered) {
    note(
      `${shownPath(path)} was not saved: it goes through a filter that only the repository's own configuration names, and Seam runs none of those.`,
    );
  }
  const refused = [...secret, ...unfiltered];
  await saveNested(tree, await nestedIn(tree, untracked), keepAt, note);
  const unstorable = await add(tree, refused, note);
  const leftOut = [...refused, ...unstorable];
  // Both only look at what was added.
  const [id, changed] = await Promise.all([
    slotGit(tree, ["write-tree"]),
    changedSince(tree, base),
  ]);
  return { tree: id.toString().trim(), leftOut, changed };
}

export async function changedSince(tree: SlotTree, base: string): Promise<string[]> {
  const args = ["diff-index", "--cached", "--name-only", "--no-renames", "-z", base];
  return (await listed(tree, args)).map(shownPath);
}

/** An index that git cannot read is made anew: it only says what is known of the files. */
async function untrackedIn(tree: SlotTree, tip: string): Promise<RawPath[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  try {
    if (existsSync(ownIndexOf(tree))) return await listed(tree, args);
  } catch (error) {
    if (!(error instanceof SeamError) || !/index/.test(error.message)) throw error;
    rmSync(ownIndexOf(tree), { force: true });
  }
  await slotGit(tree, ["read-tree", "--reset", tip]);
  if (tree.sparse) await leaveOut(tree, tree.sparse);
  return listed(tree, args);
}

/** An index that was just read does not know that files outside of some folders were never there. */
async function leaveOut(tree: SlotTree, sparse: readonly string[]): Promise<void> {
  const missing = outsideOf(sparse, await listed(tree, ["ls-files", "--deleted", "-z"]));
  const input = Buffer.from(missing.join("\0"), "latin1");
  await slotGit(tree, ["update-index", "--skip-worktree", "-z", "--stdin"], input);
}

/** Costs nothing where the repository names no filters. */
async function unfilteredIn(tree: SlotTree, untracked: readonly RawPath[]): Promise<RawPath[]> {
  if ((await ownFilters(tree.repo)).length === 0) return [];
  const changed = await listed(tree, ["diff-files", "--name-only", "-z"]);
  return [...(await unfilteredPaths(tree.repo, [...untracked, ...changed]))];
}

/** What git says when there is no room, or no right, for anything: then nothing is saved at all. */
const HOPELESS = /No space left|quota exceeded|Read-only file system|unable to create temporary/i;
/** So often git is asked for less of what it could not add at once. */
const MOST_TRIES = 200;

/** Adds everything but what is refused. Returns what git cannot store. */
async function add(
  tree: SlotTree,
  refused: readonly RawPath[],
  note: (text: string) => void,
): Promise<RawPath[]> {
  const excluded = refused.map((path) => `:(exclude,literal)${path}`);
  const failed = await tryAdd(tree, [".", ...excluded]);
  if (failed === undefined) return [];
  note(`Not everything could be saved: ${failed}`);
  const rest = new Set(await notAdded(tree));
  for (const path of refused) rest.delete(path);
  let tries = 0;
  const addSome = async (paths: readonly RawPath[]): Promise<RawPath[]> => {
    if (++tries > MOST_TRIES) return [...paths];
    if ((await tryAdd(tree, paths.map(literal))) === undefined) return [];
    if (paths.length === 1) return [...paths];
    const half = Math.ceil(paths.length / 2);
    return [...(await addSome(paths.slice(0, half))), ...(await addSome(paths.slice(half)))];
  };
  return rest.size === 0 ? [] : addSome([...rest]);
}

const literal = (path: RawPath) => `:(literal)${path}`;

/** Why it failed; undefined if it did not. */
async function tryAdd(tree: SlotTree, specs: readonly string[]): Promise<string | undefined> {
  const args = ["add", "--all", ...(tree.sparse ? ["--sparse"] : [])];
  const fromFile = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const input = Buffer.from(specs.join("\0"), "latin1");
  try {
    await slotGit(tree, [...args, ...fromFile], input);
    return undefined;
  } catch (error) {
    const words = messageOf(error);
    if (HOPELESS.test(words)) throw error;
    return words;
  }
}

/** Everything in the worktree that the index does not have as it is. */
async function notAdded(tree: SlotTree): Promise<RawPath[]> {
  const args = ["ls-files", "--others", "--modified", "--exclude-standard", "-z"];
  return [...new Set(await listed(tree, args))].filter((path) => !path.endsWith("/"));
}
