import { setTimeout as sleep } from "node:timers/promises";
import type { SeamEvent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";

/** Longer than anything takes, also on a machine with much to do. */
const LONG = 60_000;

/** The promise's value; fails with a name instead of hanging until the test is killed. */
export async function returns<T>(what: string, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const never = sleep(LONG, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} did not come back`);
  });
  never.catch(() => {});
  try {
    return await Promise.race([promise, never]);
  } finally {
    timer.abort();
  }
}

/** Waits until something is so. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + LONG; !isSo(); await sleep(2)) {
    if (Date.now() > end) throw new Error(`It never came to this: ${what}`);
  }
}

/** The first such event from now on. */
export function next<Name extends SeamEvent["type"]>(
  agent: EmbeddedAgent,
  type: Name,
): Promise<void> {
  const found = new Promise<void>((resolve) => {
    const stop = agent.subscribe((event) => {
      if (event.type !== type) return;
      stop();
      resolve();
    });
  });
  return returns(`the event ${type}`, found);
}

/** A promise for those who never come back. */
export const never = <T>() => new Promise<T>(() => {});
