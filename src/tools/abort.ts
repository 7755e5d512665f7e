/** What every tool throws when its signal fires. */
function abortError(): Error {
  const error = new Error("The call was aborted before it finished.");
  error.name = "AbortError";
  return error;
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError();
}

/**
 * Runs `work`, but does not wait for it past an abort. The work sees the same signal and cleans up
 * behind itself; a remote operation that ignores the signal cannot hold the caller back.
 * `lagMs` gives work that ends by itself on an abort the time to do so.
 */
export function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  lagMs = 0,
): Promise<T> {
  if (!signal) return work();
  if (signal.aborted) return Promise.reject(abortError());
  return new Promise((resolve, reject) => {
    let lag: NodeJS.Timeout | undefined;
    const onAbort = () => {
      if (lagMs === 0) reject(abortError());
      else lag = setTimeout(() => reject(abortError()), lagMs);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(lag);
        signal.removeEventListener("abort", onAbort);
      });
  });
}
