import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderBelow } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";

/**
 * What Seam keeps of a slot: its own index of the worktree, the files of a merge that is to be
 * finished, the user's list of files to copy, the index with which a submodule is saved.
 */
const SLOT_FILES = ["index", "conflicts", "include", "submodule-index"] as const;

/**
 * In the repository's shared folder and not in the git folder of the worktree: walls let whoever
 * works in the worktree write that one, and what an agent wrote must not decide what the next task is
 * given. Not beside the worktree either: work can be saved while the disk of the worktrees is full.
 */
export function slotFile(
  { commonDir, worktreeId }: Repo,
  name: (typeof SLOT_FILES)[number],
): string {
  return join(commonDir, "seam/slots", `${worktreeId}.${name}`);
}

export function makeRoomForSlotFiles(repo: Repo): void {
  makeFolderBelow(repo.commonDir, dirname(slotFile(repo, "index")));
}

export function removeSlotFiles(repo: Repo): void {
  for (const name of SLOT_FILES) rmSync(slotFile(repo, name), { force: true });
}
