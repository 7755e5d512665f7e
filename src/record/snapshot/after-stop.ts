import { lstatSync } from "node:fs";
import {
  diffTrees,
  type ObjectBatch,
  pathFromShown,
  type Repo,
  shownPath,
  workPath,
} from "../../git/index.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { SessionState } from "../session/state.ts";

/** Clocks of file systems are coarse, and a command that is stopped needs a moment to end. */
const SLACK_MS = 1_000;

/** Whether a file was written after a time; of one that is gone nobody knows. */
export function isLater(
  { workTree }: Repo,
  shown: string,
  at: string | false | undefined,
): boolean {
  const time = Date.parse(at || "");
  if (Number.isNaN(time) || workTree === undefined) return false;
  const stats = lstatSync(workPath(workTree, pathFromShown(shown)), { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs > time + SLACK_MS;
}

/** At most this many are listed for one turn. */
const MOST_FILES = 1_000;

/** What was changed after the user stopped a turn, and before its end was noticed. */
export function filesAfterStop(
  { repo, secrets }: RepoRecord,
  { turn_start_tree: start, turn_files = [], interrupted }: SessionState,
) {
  return async (batch: ObjectBatch, tree: string): Promise<string[]> => {
    if (start === undefined || !interrupted) return [];
    const named = new Set(turn_files);
    const found: string[] = [];
    for (const { path } of await diffTrees(batch, start, tree)) {
      const shown = shownPath(path);
      if (found.length >= MOST_FILES || named.has(shown)) continue;
      if (isLater(repo, shown, interrupted) && (await secrets.without(shown)) === shown) {
        found.push(shown);
      }
    }
    return found;
  };
}
