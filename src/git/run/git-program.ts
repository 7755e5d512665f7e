import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { SeamError } from "../../errors/index.ts";

/**
 * Which git is run, and what git finds on its PATH. Seam inherits its PATH from whoever started it,
 * often an agent in a project that puts its own folders first: no program of a project may take the
 * place of git, or of what the user's filters call.
 */
export interface GitProgram {
  readonly path: string;
  /** The PATH without folders of projects. */
  readonly searched: string;
}

interface Folder {
  readonly path: string;
  /** The work tree it lies in, also behind links; undefined if in none. */
  readonly workTree: string | undefined;
}

/** Package managers keep whole systems in a work tree of their own. */
const SYSTEMS = ["/usr", "/opt/homebrew", "/home/linuxbrew/.linuxbrew"];

/** A folder can become a repository: after so long it is looked at again. */
const FRESH_MS = 5_000;
let looked: { readonly path: string; readonly at: number; readonly folders: Folder[] } | undefined;

/** The git to run in a folder. Throws SEAM_GIT_MISSING if there is none outside of projects. */
export function gitProgram(cwd: string, path = process.env.PATH ?? ""): GitProgram {
  const home = realOf(homedir());
  const here = workTreeAround(realOf(cwd), home);
  if (looked?.path !== path || Date.now() - looked.at > FRESH_MS) {
    looked = { path, at: Date.now(), folders: foldersOn(path, home) };
  }
  const usable = looked.folders.filter(
    ({ workTree }) => workTree === undefined || (workTree !== here && !isRecorded(workTree)),
  );
  // One that lies in no work tree at all goes before one that does.
  const inOrder = [
    ...usable.filter(({ workTree }) => workTree === undefined),
    ...usable.filter(({ workTree }) => workTree !== undefined),
  ];
  const found = inOrder.map((folder) => join(folder.path, "git")).find(isProgram);
  if (found === undefined) {
    const detail = "there is no git on the PATH outside of projects";
    throw new SeamError("SEAM_GIT_MISSING", { detail });
  }
  return { path: found, searched: usable.map((folder) => folder.path).join(delimiter) };
}

/** What is not absolute depends on where git is started: it would be a folder of the project. */
function foldersOn(path: string, home: string): Folder[] {
  const all = [...new Set(path.split(delimiter).filter(isAbsolute))];
  return all.map((folder) => ({ path: folder, workTree: workTreeOf(folder, home) }));
}

function workTreeOf(folder: string, home: string): string | undefined {
  const program = join(folder, "git");
  return (
    workTreeAround(realOf(folder), home) ??
    // The program itself may be a link into a project.
    (isProgram(program) ? workTreeAround(dirname(realOf(program)), home) : undefined)
  );
}

/** This cannot ask git, because git is what is looked for. */
function workTreeAround(folder: string, home: string): string | undefined {
  for (let dir = folder; ; dir = dirname(dir)) {
    // A home under git is the user's own.
    if (dir === home || SYSTEMS.includes(dir) || dir === dirname(dir)) return undefined;
    if (existsSync(join(dir, ".git"))) return dir;
  }
}

/** Seam has a folder in its repository; a linked work tree or a submodule counts in any case. */
function isRecorded(workTree: string): boolean {
  const dotGit = join(workTree, ".git");
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  return stats?.isFile() === true || existsSync(join(dotGit, "seam"));
}

function isProgram(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
