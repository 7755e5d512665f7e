import type { Usage } from "./messages.ts";

/** The usage of an answer that cost nothing, or of which nobody knows what it cost. */
export function noUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}
