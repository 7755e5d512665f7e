import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside, readText, realTarget } from "../../files/index.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { type RepositoryFolders, repositoryFolders } from "./repository-folders.ts";

/** Whose programs the walls are around. */
export interface Contained {
  /** The worktree, which can be changed. */
  readonly workspace: string;
  /** Seam's home. */
  readonly home: string;
  /** The home of the user, where agents keep what is theirs. */
  readonly userHome: string;
  /** What else of the crew's can be changed: the attempt's own folder. */
  readonly folders: readonly string[];
}

/**
 * What can be written in Seam's home: what hooks leave for the daemon, the sessions of Seam's own
 * agent, and the logins that it renews. Everything else there decides what agents may do, also what is
 * not there yet, and a file that is closed by itself is open again as soon as somebody replaces it.
 */
const OPEN_IN_HOME = { folders: ["run", "sessions"], files: ["auth.json"] };

/** What git has to write in a repository's shared folder for a commit in a worktree. */
const SHARED = ["objects", "lfs", "reftable"];

/**
 * The words that, put before a program, keep it and everything it starts from changing the user's
 * checkouts, the repository's configuration, hooks and other branches, the worktrees of other tasks
 * and the files of the crew. Empty: there is nothing here that can do that, so the checkout is
 * compared instead.
 */
export async function walls(contained: Contained): Promise<readonly string[]> {
  const workspace = realTarget(contained.workspace);
  const repository = repositoryFolders(workspace);
  if (!repository) return [];
  const home = realTarget(contained.home);
  const { common, checkouts } = repository;
  const closed = [...checkouts, common, dirname(workspace)];
  // Agents keep their sessions in the user's home, which may be a checkout itself.
  const userHome = realTarget(contained.userHome);
  if (closed.some((folder) => isInside(home, folder) || isInside(userHome, folder))) return [];
  if (isInside(userHome, home)) return [];
  const open = [
    ...openInHome(home),
    workspace,
    ...openIn(repository),
    ...contained.folders.map(realTarget),
  ];
  return (
    (await bubblewrap([
      "--dev-bind",
      "/",
      "/",
      ...bound("--ro-bind", [home, ...closed]),
      ...bound("--bind", open),
    ])) ?? []
  );
}

function bound(how: string, paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).flatMap((path) => [how, path, path]);
}

function openInHome(home: string): string[] {
  const { folders, files } = OPEN_IN_HOME;
  const made = folders.map((name) => join(home, name));
  for (const folder of made) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return [...made, ...files.map((name) => join(home, name))];
}

/** The parts of a repository that whoever works in one of its worktrees has to write. */
function openIn({ own, common }: RepositoryFolders): string[] {
  const shared = SHARED.map((name) => join(common, name));
  const branch = /^ref: (refs\/heads\/.+\/)[^/]+$/m.exec(readText(join(own, "HEAD")) ?? "")?.[1];
  if (branch === undefined) return [own, ...shared];
  const branches = [join(common, branch), join(common, "logs", branch)];
  for (const folder of branches) mkdirSync(folder, { recursive: true });
  return [own, ...shared, ...branches];
}
