import { lendersToNote, noteLenders, projectRoot } from "../settings/index.ts";
import { changeByUser } from "./known-state.ts";

/**
 * Notes whose gates hold in a folder because it is of the same repository, before anybody works there
 * and can change what git says of that. What cannot be noted, behind the walls of a crew or on a full
 * disk, is noted the next time.
 */
export function noteLentGates(store: string, cwd: string): void {
  const missing = lendersToNote(projectRoot(cwd));
  if (missing.size === 0) return;
  try {
    changeByUser(store, () => {
      for (const [borrower, lenders] of missing) noteLenders(borrower, lenders);
    });
  } catch {
    // Until then only git says it.
  }
}
