import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderBelow } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";

/**
 * Where a work tree stood when it was last seen that HEAD has all recent work of agents: the branch,
 * and what was reset last. As long as it stands there a commit cannot bring anything back, and the
 * script of prepare-commit-msg, which compares the same, does not even ask.
 */
const fileOf = ({ gitDir }: Repo) => join(gitDir, "seam", "seen");

export function rememberHead(repo: Repo): void {
  makeFolderBelow(repo.gitDir, join(repo.gitDir, "seam"));
  writeFileSync(fileOf(repo), placeOf(repo));
}

export function isSameHead(repo: Repo): boolean {
  const seen = timeOf(fileOf(repo));
  return (
    textOf(fileOf(repo)) === placeOf(repo) &&
    timeOf(join(repo.gitDir, "ORIG_HEAD")) <= seen &&
    timeOf(join(seamDirOf(repo), "recent")) <= seen
  );
}

/** Around adding a commit of this work tree to the recent ones: HEAD has that, so nothing changes. */
export function atSameHead(repo: Repo, add: () => void): void {
  const place = isSameHead(repo) ? textOf(fileOf(repo)) : undefined;
  add();
  // The place is read as it was then: somebody may have reset HEAD meanwhile.
  if (place !== undefined) writeFileSync(fileOf(repo), place);
}

function placeOf({ gitDir }: Repo): string {
  const first = (name: string) => textOf(join(gitDir, name)).split("\n", 1)[0] ?? "";
  return `${first("HEAD")}\n${first("ORIG_HEAD")}\n`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
