import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  atRepo,
  git,
  headOf,
  inProgress,
  openRepo,
  ownFilters,
  pathBytes,
  type RawPath,
  type Repo,
  runGit,
  shownPath,
  unfilteredPaths,
} from "../../git/index.ts";
import { checkoutsOf } from "../history/checkouts.ts";
import { moveRef } from "../history/move-ref.ts";

export type Advanced =
  /** `checkouts` are those whose files went along. */
  | { readonly kind: "moved"; readonly checkouts: readonly string[] }
  /** Somebody else moved the branch meanwhile. */
  | { readonly kind: "lost" }
  /** The branch is checked out, and its files cannot go along. Nothing was changed. */
  | { readonly kind: "held"; readonly path: string; readonly reason: string };

export interface Move {
  readonly branch: string;
  /** Undefined: the branch is not there yet. */
  readonly from: string | undefined;
  /** In whose history `from` is. */
  readonly to: string;
  /** For the reflog. */
  readonly message: string;
}

/**
 * Moves a branch forward. Where it is checked out its files go along, as `git merge --ff-only` takes
 * them: not if one that differs was changed there by somebody.
 */
export async function advance(repo: Repo, move: Move): Promise<Advanced> {
  const { branch, from, to, message } = move;
  const checkouts = await checkoutsOf(repo, branch);
  const [path] = checkouts;
  if (path === undefined || from === undefined) {
    const moved = await moveRef(repo, `refs/heads/${branch}`, to, from ?? null, message);
    return moved.ok ? { kind: "moved", checkouts: [] } : { kind: "lost" };
  }
  if (checkouts.length > 1) {
    return { kind: "held", path, reason: `it is checked out in ${checkouts.join(" and ")}` };
  }
  const checkout = await openRepo(path);
  if (!checkout?.workTree) return { kind: "held", path, reason: "its checkout cannot be read" };
  if ((await headOf(checkout)).commit !== from) return { kind: "lost" };
  const reason = await forward(checkout, checkout.workTree, from, move);
  return reason === undefined ? { kind: "moved", checkouts } : { kind: "held", path, reason };
}

/** Why the files of a checkout cannot go along; undefined if they did. */
async function forward(
  repo: Repo,
  path: string,
  from: string,
  move: Move,
): Promise<string | undefined> {
  const { to, message } = move;
  const operation = inProgress(repo);
  if (operation !== undefined) return `a ${operation} is in progress there`;
  const files = await differing(repo, from, to);
  const [unfiltered] = await unfilteredPaths(repo, files);
  if (unfiltered !== undefined) {
    const name = shownPath(unfiltered);
    return `${name} goes through a filter that only the repository's configuration names, and Seam runs none of those`;
  }
  await finishBrokenOff(repo, path, files, move);
  const mark = markOf(repo);
  writeFileSync(mark, to);
  const settings = await ownFilters(repo);
  const { code, stderr } = await runGit(["merge", "--ff-only", "--quiet", to], {
    cwd: path,
    settings,
    env: { GIT_REFLOG_ACTION: message },
  });
  rmSync(mark, { force: true });
  return code === 0 ? undefined : stderr.trim().replace(/\s+/g, " ");
}

/** There while files are brought along, with the commit they are brought to. */
const markOf = (repo: Repo) => join(repo.gitDir, "seam-landing");

/** A git that runs has touched its lock a moment ago. */
const LEFT_MS = 10_000;

/**
 * If the machine went down while files were brought along, some of them are there and git takes
 * them for somebody's changes. Git is told about those that have their final content already.
 */
async function finishBrokenOff(
  repo: Repo,
  path: string,
  files: readonly RawPath[],
  { branch, to }: Move,
): Promise<void> {
  if (readMark(repo) !== to) return;
  const locks = ["index", "HEAD", "ORIG_HEAD"].map((name) => join(repo.gitDir, `${name}.lock`));
  for (const lock of [...locks, join(repo.commonDir, `refs/heads/${branch}.lock`)]) {
    const stats = statSync(lock, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > LEFT_MS) rmSync(lock, { force: true });
  }
  const settings = await ownFilters(repo);
  const wanted = await entriesOf(repo, to, files);
  const there: RawPath[] = [];
  for (const file of files) {
    const id = await hashOf(repo, path, file, settings);
    if (id === wanted.get(file)) there.push(file);
  }
  if (there.length === 0) return;
  const input = Buffer.from(there.map((name) => `${name}\0`).join(""), "latin1");
  const args = ["update-index", "--add", "--remove", "-z", "--stdin"];
  await git(args, { cwd: path, input, settings });
}

function readMark(repo: Repo): string | undefined {
  try {
    return readFileSync(markOf(repo), "utf8");
  } catch {
    return undefined;
  }
}

async function differing(repo: Repo, from: string, to: string): Promise<RawPath[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to];
  const output = await git([...atRepo(repo), ...args], { cwd: repo.gitDir });
  const names = output.toString("latin1").split("\0") as RawPath[];
  return names.filter((name) => name !== "");
}

async function entriesOf(repo: Repo, commit: string, files: readonly RawPath[]) {
  const wanted = new Set<string>(files);
  const output = await git([...atRepo(repo), "ls-tree", "-r", "-z", commit], { cwd: repo.gitDir });
  const found = new Map<RawPath, string>();
  for (const line of output.toString("latin1").split("\0")) {
    const [, id, path] = /^\d+ \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    if (id !== undefined && path !== undefined && wanted.has(path)) found.set(path as RawPath, id);
  }
  return found;
}

/** Undefined if there is no file. */
async function hashOf(
  repo: Repo,
  path: string,
  file: RawPath,
  settings: readonly (readonly [string, string])[],
): Promise<string | undefined> {
  const name = pathBytes(file).toString();
  if (!statSync(join(path, name), { throwIfNoEntry: false })?.isFile()) return undefined;
  const { stdout, code } = await runGit([...atRepo(repo), "hash-object", "--", name], {
    cwd: path,
    settings,
  });
  return code === 0 ? stdout.toString().trim() : undefined;
}
