import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { everyRepositoryFile } from "../../settings/index.ts";

/**
 * Whether a folder may be in a repository that is recorded: a look that costs nothing, so that a
 * run elsewhere does not have to load what records.
 */
export function maybeRecorded(cwd: string): boolean {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    // A linked work tree or submodule keeps its folder elsewhere.
    if (stats?.isFile()) return true;
    if (stats) return existsSync(join(git, "seam/enabled")) || existsSync(everyRepositoryFile());
    if (dir === dirname(dir)) return false;
  }
}
