import { join } from "node:path";
import type { Repo } from "./repo.ts";
import { isThere, readSmall } from "./small-file.ts";

/** What git is in the middle of. `am` is the applying of mailed patches. */
export type Operation = "rebase" | "am" | "merge" | "cherry-pick" | "revert" | "bisect";

/**
 * In this order: a rebase leaves the marks of a merge or a cherry-pick too, while it waits for
 * somebody to solve a conflict.
 */
const MARKS: readonly (readonly [mark: string, operation: Operation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
];

/** What git is in the middle of, as its files tell; git itself is not asked. */
export function inProgress(repo: Repo): Operation | undefined {
  const mark = MARKS.find(([name]) => isThere(join(repo.gitDir, name)));
  return mark?.[1] ?? inSequence(repo) ?? (isBisecting(repo) ? "bisect" : undefined);
}

/** Between two commits of a series no single one is being picked, but the list of the rest is there. */
function inSequence(repo: Repo): Operation | undefined {
  const next = readSmall(join(repo.gitDir, "sequencer/todo"));
  if (next === undefined) return undefined;
  return /^\s*revert\b/m.test(next) ? "revert" : "cherry-pick";
}

const isBisecting = (repo: Repo) => isThere(join(repo.gitDir, "BISECT_LOG"));
