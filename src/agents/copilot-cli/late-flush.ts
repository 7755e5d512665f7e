import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 25;
/** Copilot CLI writes what it kept back after 100 ms without an event. */
const QUIET_MS = 250;
const PATIENCE_MS = 2000;

/**
 * Waits until the transcript has not grown for longer than Copilot CLI keeps it back while it
 * works, or until the time is up.
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
