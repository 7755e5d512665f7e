export class AbortedError extends Error {
  override readonly name = "AbortedError";
}

/** The value, or an AbortedError at once when the signal fires, whatever the promise does. */
export function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AbortedError("aborted"));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        resolve(value);
      },
      (thrown: unknown) => {
        signal.removeEventListener("abort", onAbort);
        reject(thrown);
      },
    );
  });
}

/** Iterates until the signal fires; a source that never yields again is simply left behind. */
export async function* abortableItems<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await abortable(iterator.next(), signal);
    if (done) return;
    yield value;
  }
}

/** Waits; rejects with an AbortedError when the signal fires. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return abortable(waiting, signal).finally(() => clearTimeout(timer));
}
