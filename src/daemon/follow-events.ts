import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./connection.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import { linesOf } from "./lines-of.ts";
import type { LiveEvent, LiveFilter } from "./live-events.ts";

const RETRY_MS = 500;

/**
 * What agents do from now on, also over the end and the next start of the daemon. What happens
 * between the start of one and the moment it is found is told as well.
 */
export async function* followEvents(
  paths: DaemonPaths,
  filter: LiveFilter,
  signal?: AbortSignal,
): AsyncGenerator<LiveEvent & { lost?: number }> {
  const since = new Date().toISOString();
  let heard: number | undefined;
  while (!signal?.aborted) {
    try {
      const query = new URLSearchParams(Object.entries(filter));
      if (heard === undefined) query.set("since", since);
      else query.set("after", String(heard));
      const response = await ask(paths, "GET", `/v1/events?${query}`);
      const close = () => response.destroy();
      signal?.addEventListener("abort", close, { once: true });
      for await (const line of linesOf(response)) {
        const event = JSON.parse(line) as LiveEvent;
        heard = event.seq;
        yield event;
      }
    } catch {
      // There is no daemon at the moment; the next hook starts one.
    }
    if (!signal?.aborted) await sleep(RETRY_MS);
  }
}
