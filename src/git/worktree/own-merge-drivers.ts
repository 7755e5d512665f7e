import { settingsOf } from "../repo/config.ts";
import type { Repo } from "../repo/repo.ts";
import type { Setting } from "../run/own-programs.ts";
import { gitError } from "../run/spawn-git.ts";

const DRIVER = /^merge\.(.+)\.driver$/s;

/** What git does for files that no attribute names a way to merge for. */
const PLAIN = "git merge-file --marker-size=%L %A %O %B";

/**
 * Settings for a call of git that merges: only programs for merging that the user or the system has
 * set up run. In place of those that the repository itself names, files are merged as text.
 */
export async function ownMergeDrivers(repo: Repo): Promise<Setting[]> {
  const { users, repositorys } = await settingsOf(repo);
  return [...repositorys.keys()].flatMap((key): Setting[] => {
    const name = DRIVER.exec(key)?.[1];
    if (name === undefined) return [];
    if (name.includes("=")) {
      throw gitError(["config"], repo.gitDir, `its configuration has a merge driver "${name}"`);
    }
    return [[key, users.get(key) ?? PLAIN]];
  });
}
