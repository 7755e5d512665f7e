/** Waits, and the thread with it: for a few milliseconds, where nothing else can go on anyway. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
