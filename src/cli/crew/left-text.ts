import { plural } from "../record/format.ts";

/** "3 branches and 2 worktrees". */
export function leftText(branches: number, worktrees: number): string {
  const parts = [
    ...(branches > 0 ? [plural(branches, "branch", "branches")] : []),
    ...(worktrees > 0 ? [plural(worktrees, "worktree")] : []),
  ];
  return parts.join(" and ");
}
