import type { HandlerReport } from "../../dispatch/index.ts";

/** What the handlers of one extension did. */
export interface HandlersUse {
  readonly name: string;
  readonly calls: number;
  /** Handlers that threw, or took longer than they may. */
  readonly errors: number;
  /** Milliseconds. Of calls that nobody waits for, most quick ones are not timed. */
  readonly ms: number;
  readonly longestMs: number;
}

/** Adds up what the handlers of a session's extensions did, and tells what is new of it. */
export class UseSince {
  readonly #told = new Map<string, HandlersUse>();

  since(report: readonly HandlerReport[]): HandlersUse[] {
    const sums = new Map<string, HandlersUse>();
    for (const { owner: name, calls, errors, timeouts, totalMs, maxMs } of report) {
      const sum = sums.get(name) ?? NOTHING;
      sums.set(name, {
        name,
        calls: sum.calls + calls,
        errors: sum.errors + errors + timeouts,
        ms: sum.ms + totalMs,
        longestMs: Math.max(sum.longestMs, maxMs),
      });
    }
    const fresh = [...sums.values()].flatMap((now) => {
      const before = this.#told.get(now.name) ?? NOTHING;
      this.#told.set(now.name, now);
      // A handler that has unsubscribed takes its numbers with it.
      const calls = Math.max(0, now.calls - before.calls);
      const errors = Math.max(0, now.errors - before.errors);
      const ms = Math.max(0, now.ms - before.ms);
      return calls + errors === 0 ? [] : [{ ...now, calls, errors, ms }];
    });
    return fresh;
  }
}

const NOTHING = { calls: 0, errors: 0, ms: 0, longestMs: 0 };
