import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  atRepo,
  git,
  headOf,
  openRepo,
  ownFilters,
  ownTransport,
  pathBytes,
  type RawPath,
  type Repo,
  runGit,
  scanWorkTree,
  shownPath,
} from "../../git/index.ts";
import { writeCommit } from "../history/commits.ts";
import { slotFile } from "./slot-files.ts";
import { type SlotTree, slotGit, trySlotGit } from "./slot-git.ts";

/** A repository inside a worktree. */
interface Nested {
  readonly path: RawPath;
  /** `.gitmodules` names it: it stays one entry, as always. */
  readonly isSubmodule: boolean;
  /** The commit that git knows it at. */
  readonly known?: string;
}

/** A name that no file has, which makes git look into a folder that is a repository of its own. */
const SEED = ".seam-seed";

/** Repositories in a worktree: those that nobody told git of, and submodules. */
export async function nestedIn(
  tree: SlotTree,
  untracked: readonly RawPath[],
): Promise<readonly Nested[]> {
  const modules = await modulesOf(tree);
  const fresh = untracked.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  const nested = fresh.map((path) => ({ path: path as RawPath, isSubmodule: modules.has(path) }));
  return [...nested, ...(modules.size === 0 ? [] : await submodulesIn(tree))];
}

/** As git knows them. */
async function submodulesIn(tree: SlotTree): Promise<Nested[]> {
  const entries = (await slotGit(tree, ["ls-files", "--stage", "-z"])).toString("latin1");
  return entries.split("\0").flatMap((line): Nested[] => {
    const [, known, path] = /^160000 (\w+) 0\t(.*)$/s.exec(line) ?? [];
    return known === undefined ? [] : [{ path: path as RawPath, isSubmodule: true, known }];
  });
}

/**
 * Takes the files out of submodules that are not what the worktree's commit says, as in a fresh
 * worktree: a setup command fetches them again. Says whether there were any.
 */
export async function emptySubmodules(tree: SlotTree): Promise<boolean> {
  if (!existsSync(join(tree.path, ".gitmodules"))) return false;
  let found = false;
  for (const { path, known } of await submodulesIn(tree)) {
    const folder = folderOf(tree, path);
    const state = await stateOf(folder);
    if (!state || (state.head === known && !state.isDirty)) continue;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    found = true;
  }
  return found;
}

const folderOf = (tree: SlotTree, path: RawPath) => join(tree.path, pathBytes(path).toString());

interface NestedState {
  readonly repo: Repo;
  readonly head: string | undefined;
  /** It has changes that are in none of its commits. */
  readonly isDirty: boolean;
}

/** Undefined for a submodule that was never fetched: git would find the worktree around it. */
async function stateOf(folder: string): Promise<NestedState | undefined> {
  if (!existsSync(join(folder, ".git"))) return undefined;
  const repo = await openRepo(folder).catch(() => undefined);
  if (!repo) return undefined;
  const { changes } = await scanWorkTree(repo);
  return { repo, head: (await headOf(repo)).commit, isDirty: changes.length > 0 };
}

/** Paths that `.gitmodules` names. */
async function modulesOf(tree: SlotTree): Promise<ReadonlySet<string>> {
  const file = join(tree.path, ".gitmodules");
  if (!existsSync(file)) return new Set();
  const args = ["config", "-z", "--file", file, "--get-regexp", "^submodule\\..*\\.path$"];
  const { stdout, code } = await trySlotGit(tree, args);
  if (code !== 0) return new Set();
  const entries = stdout.toString("latin1").split("\0");
  return new Set(entries.map((entry) => entry.slice(entry.indexOf("\n") + 1)));
}

/**
 * Sees to it that nothing of a repository inside the worktree is lost: its commits are brought into
 * this one, and the files of one that is no submodule become ordinary files of the task.
 */
export async function saveNested(
  tree: SlotTree,
  nested: readonly Nested[],
  keepAt: string,
  note: (text: string) => void,
): Promise<void> {
  for (const [at, { path, isSubmodule, known }] of nested.entries()) {
    const state = await stateOf(folderOf(tree, path));
    const ref = `${keepAt}/${at + 1}`;
    const isKept = state !== undefined && (await keepHistory(tree, state, ref, isSubmodule, known));
    const where = isKept ? `is kept at ${ref}` : "could not be kept";
    if (isSubmodule) {
      if (state?.isDirty) note(`What was changed in the submodule ${shownPath(path)} ${where}.`);
      else if (isKept) note(`The commit of the submodule ${shownPath(path)} ${where}.`);
      continue;
    }
    await seed(tree, path);
    const history = state?.head === undefined ? "" : ` Its own history ${where}.`;
    note(
      `${shownPath(path)} is a repository of its own: its files were saved as ordinary files.${history}`,
    );
  }
}

async function seed(tree: SlotTree, path: RawPath): Promise<void> {
  const empty = (await slotGit(tree, ["hash-object", "-w", "--stdin"], "")).toString().trim();
  const info = Buffer.from(`100644 ${empty}\t${path}/${SEED}\0`, "latin1");
  await slotGit(tree, ["update-index", "-z", "--add", "--index-info"], info);
}

/** Brings the commits of a repository into this one. False if there are none, or none that are new. */
async function keepHistory(
  { repo, path }: SlotTree,
  inner: NestedState,
  ref: string,
  isSubmodule: boolean,
  known: string | undefined,
): Promise<boolean> {
  const { head, isDirty } = inner;
  if (head === undefined || (head === known && !isDirty)) return false;
  const index = slotFile(repo, "submodule-index");
  const commit = isSubmodule && isDirty ? await snapshot(inner.repo, head, index) : head;
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc"];
  const settings = [
    ...(await ownTransport(repo)),
    ["protocol.file.allow", "always"] as const,
    ["uploadpack.allowAnySHA1InWant", "true"] as const,
  ];
  const from = inner.repo.workTree ?? path;
  const { code } = await runGit([...atRepo(repo), ...args, from, `+${commit}:${ref}`], {
    cwd: repo.gitDir,
    settings,
    env: { GIT_ALLOW_PROTOCOL: "file" },
  });
  return code === 0;
}

/** A commit of everything in a submodule. Neither its index nor its branches are touched. */
async function snapshot(repo: Repo, head: string, index: string): Promise<string> {
  const { workTree = "" } = repo;
  const options = {
    cwd: workTree,
    settings: await ownFilters(repo),
    env: { GIT_INDEX_FILE: index },
  };
  const inner = (...args: string[]) =>
    git([...atRepo(repo), "--work-tree", workTree, ...args], options);
  try {
    await inner("read-tree", head);
    await inner("add", "--all", "--ignore-errors", ".");
    const tree = (await inner("write-tree")).toString().trim();
    return await writeCommit(repo, { tree, parents: [head], message: "What was not committed" });
  } finally {
    rmSync(index, { force: true });
  }
}
