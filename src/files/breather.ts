/** Short enough that whoever asks something of the same thread meanwhile does not notice. */
const LONGEST_MS = 10;

/**
 * For work that goes through very many things in one thread: awaited after each of them, it lets
 * everybody else have the thread every few milliseconds and costs nothing in between.
 */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
