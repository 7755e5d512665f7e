import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../connection.ts";
import type { DaemonPaths } from "../daemon-paths.ts";
import { linesOf } from "../lines-of.ts";
import type { InboxLine } from "../people-service.ts";

const RETRY_MS = 300;

interface WatchOptions {
  readonly name: string;
  readonly signal?: AbortSignal;
  /** Is called when the daemon is gone. What it says next begins with all that waits. */
  readonly onLost?: () => void;
}

/**
 * Attaches to the inbox: while this is read, agents wait for answers. When the daemon was killed or
 * has ended, the next one is waited for; its first line is again all that waits.
 */
export async function* watchPeople(
  paths: DaemonPaths,
  { name, signal, onLost }: WatchOptions,
): AsyncGenerator<InboxLine> {
  while (!signal?.aborted) {
    try {
      const query = new URLSearchParams({ name });
      const response = await ask(paths, "GET", `/v1/inbox/watch?${query}`);
      const close = () => response.destroy();
      signal?.addEventListener("abort", close, { once: true });
      for await (const line of linesOf(response)) yield JSON.parse(line) as InboxLine;
    } catch {
      // There is no daemon at the moment; the next hook starts one, which has the same questions.
    }
    if (signal?.aborted) return;
    onLost?.();
    await sleep(RETRY_MS);
  }
}
