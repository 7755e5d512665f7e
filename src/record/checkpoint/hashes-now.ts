import type { Staged } from "../link/link.ts";
import type { Checkpoint } from "./read-checkpoint.ts";

/** What the files of a checkpoint are in the commit it belongs to now. */
export function hashesNow(
  { metadata: { file_hashes = {} } }: Checkpoint,
  changes: Staged,
): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(file_hashes).map(([path, blob]) => {
      const now = changes.get(path);
      return [path, now === undefined ? blob : now];
    }),
  );
}
