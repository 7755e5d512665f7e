import type { LoadingExtension } from "./loading-extension.ts";
import { framesOf } from "./problem.ts";

interface Guarded {
  readonly member: LoadingExtension;
  readonly failed: (thrown: unknown) => void;
}

// By path: an extension that is loaded again takes the place of its former self. Never emptied:
// what an extension left behind may fail long after its session is over.
const guarded = new Map<string, Guarded>();

/**
 * Keeps the process alive when something an extension left behind fails: a callback of a library,
 * a promise nobody waits for. An error that comes from anyone else's code ends the process as it
 * would have without Seam. One that names no code at all (a string, an error of Node's own) is put
 * down to the extensions: the process never ends because of one.
 */
export function guardProcess(member: LoadingExtension, failed: (thrown: unknown) => void): void {
  if (guarded.size === 0) {
    process.on("uncaughtException", onException);
    process.on("unhandledRejection", onRejection);
  }
  guarded.set(member.path, { member, failed });
}

/** Tells the extension that caused it. False if it was none. */
function blame(thrown: unknown): boolean {
  const files = framesOf(thrown).map(({ file }) => file);
  const all = [...guarded.values()];
  const culprit = all.findLast(({ member }) => files.some((file) => member.owns(file)));
  const suspect = culprit ?? (files.length === 0 ? mostLikely(all) : undefined);
  suspect?.failed(thrown);
  return suspect !== undefined;
}

/** Without a trace it was most likely the one that was loaded last and still runs. */
function mostLikely(all: readonly Guarded[]): Guarded | undefined {
  return all.findLast(({ member }) => !member.gone) ?? all.at(-1);
}

function onException(thrown: unknown): void {
  if (blame(thrown)) return;
  // Someone else's listener decides, if there is one; else it ends as Node would have ended it.
  if (process.listenerCount("uncaughtException") > 1) return;
  console.error(thrown);
  process.exit(1);
}

function onRejection(thrown: unknown): void {
  if (blame(thrown)) return;
  if (process.listenerCount("unhandledRejection") > 1) return;
  // An error thrown here becomes an uncaught exception, as Node does by default.
  throw thrown;
}
