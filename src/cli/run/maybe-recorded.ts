import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Whether a folder may be in a repository that is recorded: a look that costs nothing, so that a
 * run elsewhere does not have to load what records.
 */
export function maybeRecorded(cwd: string): boolean {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    // A linked work tree or submodule keeps its folder elsewhere.
    if (stats) return stats.isFile() || existsSync(join(git, "seam/enabled"));
    if (dir === dirname(dir)) return false;
  }
}
