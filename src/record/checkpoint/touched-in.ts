import type { Staged } from "../link/link.ts";
import type { Checkpoint } from "./read-checkpoint.ts";

/**
 * The files of a commit that a checkpoint touched. What is not called by its name, because of a
 * secret in it, is known by its content.
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

/** There was a secret in it. */
export function isReplacedName(name: string): boolean {
  return name.includes("[REDACTED:");
}
