/**
 * Makes Node forget which callbacks are under way, as it does after an error that nobody caught.
 * A callback that is cut off never says that it is over, and Node ends a process in which the
 * count does not come out even. Called while the thread is held, right before it is taken away.
 */
export function clearAsyncStack(): void {
  const handle: unknown = Reflect.get(process, "_fatalException");
  if (typeof handle !== "function" || process.hasUncaughtExceptionCaptureCallback()) return;
  process.setUncaughtExceptionCaptureCallback(() => {});
  try {
    handle.call(process, new Error("An extension did not give the thread back."));
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
}
