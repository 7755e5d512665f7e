import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 25;
/** It writes what it kept when nothing happened for 100 ms. */
const QUIET_MS = 250;
const PATIENCE_MS = 2000;

/**
 * Copilot CLI keeps its transcript back while it is at work. Waits until the file has not grown for
 * longer than it does that, or for a while.
 */
export async function waitForQuiet(
  ref: string,
  { timeoutMs = PATIENCE_MS }: { timeoutMs?: number },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let size = sizeOf(ref);
  let since = Date.now();
  while (Date.now() - since < QUIET_MS && Date.now() < deadline) {
    await sleep(POLL_MS);
    const now = sizeOf(ref);
    if (now !== size) since = Date.now();
    size = now;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}
