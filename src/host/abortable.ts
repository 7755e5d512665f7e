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

/**
 * Hands over the items until the signal fires; a source that never yields again is simply left
 * behind. The next item waits for what was made of the one before. One listener for all items: answers come in hundreds of pieces.
 */
export function eachItem<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  take: (item: T) => Promise<void> | undefined,
): Promise<void> {
  const taking = async () => {
    for await (const item of items) {
      if (signal.aborted) return;
      const taken = take(item);
      if (taken) await taken;
    }
  };
  return abortable(taking(), signal);
}

interface LinkedController {
  readonly signal: AbortSignal;
  abort(): void;
  release(): void;
}

/**
 * A controller that also fires with a signal, until it is released. Not AbortSignal.any: on a
 * signal that lives through many answers it costs more each time.
 */
export function linkedController(signal: AbortSignal): LinkedController {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const release = () => signal.removeEventListener("abort", abort);
  return { signal: controller.signal, abort, release };
}

/** Waits; rejects with an AbortedError when the signal fires. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return abortable(waiting, signal).finally(() => clearTimeout(timer));
}
