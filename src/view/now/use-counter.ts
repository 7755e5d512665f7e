import type { LiveEvent } from "../../daemon/index.ts";
import type { ExtensionUse } from "../api-history.ts";

const MOST_NAMES = 500;

interface Counts {
  calls: number;
  errors: number;
  stops: number;
  ms: number;
  longestMs: number;
}

/** What extensions did since the daemon started, as far as answers of hooks name them. */
export class UseCounter {
  readonly #since = new Date().toISOString();
  readonly #counts = new Map<string, Counts>();

  hear({ by, decision, ms = 0 }: LiveEvent): void {
    if (by === undefined) return;
    const none = { calls: 0, errors: 0, stops: 0, ms: 0, longestMs: 0 };
    const counts = this.#counts.get(by) ?? none;
    if (!this.#counts.has(by) && this.#counts.size >= MOST_NAMES) return;
    this.#counts.set(by, {
      calls: counts.calls + 1,
      errors: counts.errors + Number(decision === "error"),
      stops: counts.stops + Number(decision === "block"),
      ms: counts.ms + ms,
      longestMs: Math.max(counts.longestMs, ms),
    });
  }

  counted(): ExtensionUse {
    return {
      since: this.#since,
      extensions: [...this.#counts].map(([name, counts]) => ({ name, ...counts })),
    };
  }
}
