import { readdirSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { makeFolderBelow } from "../../files/index.ts";
import {
  atRepo,
  git,
  ownFilters,
  pathBytes,
  type RawPath,
  type Repo,
  shownPath,
  type TreeValue,
  workPath,
} from "../../git/index.ts";
import { type WantedFile, withKnownBytes, writeBytes } from "./disk-files.ts";
import { privateIndex } from "./journal.ts";
import { statOf, wayTo } from "./obstacles.ts";

/** What each file is to be; undefined: gone. */
export type Wanted = ReadonlyMap<RawPath, WantedFile | undefined>;

/** Each way in which the work tree is changed, so that tests can let any of them be the last. */
export interface ApplyIO {
  remove(path: Buffer): void;
  removeFolder(path: Buffer): void;
  /** Writes files as they were on the disk, or where nobody knows as git's own checkout does. */
  write(repo: Repo, files: readonly (readonly [RawPath, WantedFile])[]): Promise<void>;
}

export const applyIO: ApplyIO = {
  remove: unlinkSync,
  removeFolder: rmdirSync,
  write: writeFiles,
};

/** Makes files of the work tree what they are wanted to be. Safe to do again after a crash. */
export async function applyFiles(
  repo: Repo,
  workTree: string,
  wanted: Wanted,
  io: ApplyIO = applyIO,
): Promise<void> {
  const at = (path: string) => statOf(workPath(workTree, path as RawPath));
  const nothing = new Set<RawPath>();
  const files: (readonly [RawPath, WantedFile])[] = [];
  for (const [path, value] of wanted) {
    if (value) {
      files.push([path, value]);
    } else if (wayTo(path, nothing, at) !== "blocked") {
      const stats = at(path);
      if (stats && !stats.isDirectory()) io.remove(workPath(workTree, path));
      removeEmptyAbove(workTree, path, io);
    }
  }
  for (const [path] of files) {
    // checkout-index would clear the way by force, whatever is in it.
    if (at(path)?.isDirectory()) removeEmptyFolders(workTree, path, io);
    if (at(path)?.isDirectory() || wayTo(path, nothing, at) === "blocked") {
      const detail = "something else is where it was";
      throw new SeamError("SEAM_REWIND_WRITE", { path: shownPath(path), detail });
    }
  }
  // Attributes say how all others are written.
  const isAttributes = ([path]: readonly [RawPath, WantedFile]) =>
    /(^|\/)\.gitattributes$/.test(path);
  const [first, rest] = [files.filter(isAttributes), files.filter((one) => !isAttributes(one))];
  for (const some of [first, rest]) if (some.length > 0) await io.write(repo, some);
}

async function writeFiles(
  repo: Repo,
  files: readonly (readonly [RawPath, WantedFile])[],
): Promise<void> {
  const known = await withKnownBytes(repo, files);
  await writeBytes(repo, repo.workTree ?? repo.gitDir, known);
  const written = new Set(known.map(([path]) => path));
  const rest = files.filter(([path]) => !written.has(path));
  if (rest.length > 0) await checkOut(repo, rest);
}

/** Filters, line ends, modes and links are git's. */
async function checkOut(
  repo: Repo,
  files: readonly (readonly [RawPath, TreeValue])[],
): Promise<void> {
  const cwd = repo.workTree ?? repo.gitDir;
  const index = privateIndex(repo);
  makeFolderBelow(repo.gitDir, dirname(index));
  rmSync(index, { force: true });
  rmSync(`${index}.lock`, { force: true });
  const env = { GIT_INDEX_FILE: index };
  const base = [...atRepo(repo), "--work-tree", cwd];
  const settings = [...(await ownFilters(repo)), ["core.splitIndex", "false"] as const];
  const entries = files.map(([path, { mode, id }]) =>
    Buffer.concat([Buffer.from(`${mode} ${id}\t`), pathBytes(path), Buffer.of(0)]),
  );
  const paths = files.map(([path]) => Buffer.concat([pathBytes(path), Buffer.of(0)]));
  const input = (parts: readonly Buffer[]) => ({
    ...{ cwd, env, settings },
    input: Buffer.concat(parts),
  });
  try {
    await git([...base, "update-index", "-z", "--index-info"], input(entries));
    await git([...base, "checkout-index", "-f", "-z", "--stdin"], input(paths));
  } finally {
    rmSync(index, { force: true });
  }
}

/** Folders above that are empty now, except the one the user stands in. */
function removeEmptyAbove(workTree: string, path: RawPath, io: ApplyIO): void {
  const here = Buffer.from(currentFolder()).toString("latin1");
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    const folder = workPath(workTree, path.slice(0, slash) as RawPath);
    if (folder.toString("latin1") === here || !isEmpty(folder)) return;
    io.removeFolder(folder);
  }
}

/** A folder that holds nothing but folders. */
function removeEmptyFolders(workTree: string, path: RawPath, io: ApplyIO): void {
  const folder = workPath(workTree, path);
  for (const name of readdirSync(folder, { encoding: "buffer" })) {
    const inner = `${path}/${name.toString("latin1")}` as RawPath;
    if (statOf(workPath(workTree, inner))?.isDirectory()) removeEmptyFolders(workTree, inner, io);
  }
  if (isEmpty(folder)) io.removeFolder(folder);
}

function isEmpty(folder: Buffer): boolean {
  try {
    return readdirSync(folder, { encoding: "buffer" }).length === 0;
  } catch {
    return false;
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "";
  }
}
