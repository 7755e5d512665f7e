import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InlineExtension } from "../../extensions/index.ts";
import { everyRepositoryFile } from "../../settings/index.ts";

/** Records the session where the user wants that. */
export async function recording(
  cwd: string,
  warn: (text: string) => void,
): Promise<InlineExtension[]> {
  if (!maybeRecorded(cwd)) return [];
  const { recordSession } = await import("../../daemon/index.ts");
  const extension = await recordSession(cwd, warn);
  return extension ? [extension] : [];
}

/**
 * Whether a folder may be in a repository that is recorded: a look that costs nothing, so that a
 * run elsewhere does not have to load what records.
 */
function maybeRecorded(cwd: string): boolean {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    // A linked work tree or submodule keeps its folder elsewhere.
    if (stats?.isFile()) return true;
    if (stats) return existsSync(join(git, "seam/enabled")) || existsSync(everyRepositoryFile());
    if (dir === dirname(dir)) return false;
  }
}
