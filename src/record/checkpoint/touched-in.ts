import type { Staged } from "../link/link.ts";
import type { Checkpoint } from "./read-checkpoint.ts";

/**
 * The files of a commit that a checkpoint touched. A file whose name is not recorded, because it
 * holds a secret, is recognised by its content.
 */
export function touchedIn(
  { metadata: { files_touched, file_hashes = {} } }: Checkpoint,
  changes: Staged,
): Map<string, string | null> {
  const names = new Set(files_touched);
  const blobs = new Set(
    files_touched.flatMap((name) => (isReplacedName(name) ? (file_hashes[name] ?? []) : [])),
  );
  return new Map(
    [...changes].filter(([path, blob]) => names.has(path) || (blob !== null && blobs.has(blob))),
  );
}

/** The recorded name is redacted, because the real one holds a secret. */
export function isReplacedName(name: string): boolean {
  return name.includes("[REDACTED:");
}
