import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { breather, isInside, readRegularText, SMALL_FILE } from "../../files/index.ts";
import {
  atRepo,
  git,
  ignoredPaths,
  insideCheck,
  pathBytes,
  type RawPath,
  type Repo,
  shownPath,
} from "../../git/index.ts";
import { slotFile } from "./slot-files.ts";
import type { SlotTree } from "./slot-git.ts";

/** Names ignored files of the user's checkout that every worktree needs; Claude Code and Codex read it too. */
const LIST = ".worktreeinclude";

/**
 * Copies what the user's `.worktreeinclude` names into a worktree: files that git ignores, here and
 * there, and that are not tracked. Copies, never links: a linked `node_modules` would lead back into
 * the user's checkout. What is there already, as old and as big, is left.
 */
export async function copyIncluded(
  from: Repo,
  tree: SlotTree,
  note: (text: string) => void,
): Promise<void> {
  const { workTree } = from;
  if (workTree === undefined) return;
  const named = await namedFiles(from, workTree, tree);
  const isOurs = insideCheck(tree.path);
  const [inside, outside] = [named.filter(isOurs), named.filter((path) => !isOurs(path))];
  for (const path of outside) {
    note(`${shownPath(path)} was not copied: its folder is a link or a repository of its own.`);
  }
  const ignored = await ignoredPaths(tree.repo, inside, tree.path);
  const breathe = breather();
  for (const path of inside) {
    await breathe();
    if (!ignored.has(path)) {
      note(`${shownPath(path)} was not copied: the task's commit does not ignore it.`);
    } else if (!copy(workTree, tree.path, pathBytes(path).toString())) {
      note(`${shownPath(path)} was not copied: it is no file, or a link that leads elsewhere.`);
    }
  }
}

async function namedFiles(from: Repo, workTree: string, tree: SlotTree): Promise<RawPath[]> {
  const patterns = textOf(join(workTree, LIST));
  if (patterns === undefined) return [];
  // A copy: git would wait for ever for something that is no file.
  const list = slotFile(tree.repo, "include");
  writeFileSync(list, patterns);
  const args = ["ls-files", "--others", "--ignored", "-z", `--exclude-from=${list}`];
  const output = await git([...atRepo(from), "--work-tree", workTree, ...args], { cwd: workTree });
  const paths = output.toString("latin1").split("\0") as RawPath[];
  const files = paths.filter((path) => path !== "" && !path.endsWith("/"));
  return [...(await ignoredPaths(from, files))];
}

function textOf(path: string): string | undefined {
  try {
    return readRegularText(path, SMALL_FILE);
  } catch {
    return undefined;
  }
}

/** False if it is nothing that can be copied. */
function copy(from: string, to: string, name: string): boolean {
  const [source, target] = [join(from, name), join(to, name)];
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) return copyLink(from, source, target);
  if (!stats?.isFile()) return false;
  if (isSame(stats, lstatSync(target, { throwIfNoEntry: false }))) return true;
  makeRoom(target);
  copyFileSync(source, target, constants.COPYFILE_FICLONE);
  utimesSync(target, stats.atime, stats.mtime);
  return true;
}

/** Installed packages are full of links to each other; one that leads out of the checkout is none of them. */
function copyLink(top: string, source: string, target: string): boolean {
  const leadsTo = readlinkSync(source);
  if (isAbsolute(leadsTo) || !isInside(resolve(dirname(source), leadsTo), top)) return false;
  makeRoom(target);
  symlinkSync(leadsTo, target);
  return true;
}

function makeRoom(target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
}

function isSame(a: Stats, b: Stats | undefined): boolean {
  if (!b?.isFile() || a.size !== b.size) return false;
  return Math.floor(a.mtimeMs) === Math.floor(b.mtimeMs);
}
