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

/** What of Seam's home decides what agents may do. The rest is what hooks leave there. */
const DECIDES = [
  "crew",
  "bin",
  "spare",
  "extensions",
  "trusted",
  "trust.json",
  "settings.json",
  "rules.json",
  "node_modules",
];

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
  const closed = [
    ...checkouts,
    common,
    dirname(workspace),
    ...DECIDES.map((name) => join(home, name)),
  ];
  // Agents keep their sessions in the user's home, which may be a checkout itself.
  const needed = [home, realTarget(contained.userHome)];
  if (closed.some((folder) => needed.some((one) => isInside(one, folder)))) return [];
  const open = [workspace, ...openIn(repository), ...contained.folders.map(realTarget)];
  return (
    (await bubblewrap([
      "--dev-bind",
      "/",
      "/",
      ...bound("--ro-bind", closed),
      ...bound("--bind", open),
    ])) ?? []
  );
}

function bound(how: string, paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).flatMap((path) => [how, path, path]);
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
