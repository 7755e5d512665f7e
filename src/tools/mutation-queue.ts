import { realTarget } from "../files/index.ts";

/** The last change waiting per file. Settled ones are removed, so the map stays small. */
const lastChanges = new Map<string, Promise<void>>();

/**
 * Runs changes to one file one after the other, whatever path or link leads to it; changes to
 * different files run at the same time. Calling it again for the same file from inside `change`
 * waits for itself.
 *
 * @example
 * await withFileMutationQueue("notes.md", () => appendFile("notes.md", "one more line\n"));
 */
export async function withFileMutationQueue<T>(
  filePath: string,
  change: () => Promise<T>,
): Promise<T> {
  const file = realTarget(filePath);
  const before = lastChanges.get(file) ?? Promise.resolve();
  const running = before.then(change);
  const settled = running.then(
    () => {},
    () => {},
  );
  lastChanges.set(file, settled);
  try {
    return await running;
  } finally {
    if (lastChanges.get(file) === settled) lastChanges.delete(file);
  }
}
