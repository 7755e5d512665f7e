type Blame = (thrown: unknown) => boolean;

const guards = new Set<Blame>();

/**
 * Keeps the process alive when something an extension left behind fails: a callback of a library,
 * a promise nobody waits for. `blame` says whether an error is an extension's; all others end the
 * process as they would have without Seam.
 */
export function guardProcess(blame: Blame): () => void {
  if (guards.size === 0) {
    process.on("uncaughtException", onException);
    process.on("unhandledRejection", onRejection);
  }
  guards.add(blame);
  return () => {
    guards.delete(blame);
    if (guards.size > 0) return;
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}

const isExtensions = (thrown: unknown) => [...guards].some((blame) => blame(thrown));

function onException(thrown: unknown): void {
  if (isExtensions(thrown)) return;
  // Someone else's listener decides, if there is one; else it ends as Node would have ended it.
  if (process.listenerCount("uncaughtException") > 1) return;
  console.error(thrown);
  process.exit(1);
}

function onRejection(thrown: unknown): void {
  if (isExtensions(thrown)) return;
  if (process.listenerCount("unhandledRejection") > 1) return;
  // Thrown from here it becomes an uncaught exception, which is what Node makes of it by default.
  throw thrown;
}
