import type { Model, Usage } from "../../events/index.ts";
import type { SdkUsage } from "./sdk-types.ts";

export type TokenCounts = Pick<Usage, "input" | "output" | "cacheRead" | "cacheWrite">;

const NO_TOKENS: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** What an answer used and cost. `model.cost` is per million tokens. */
export function usageOf(model: Model, tokens: Partial<TokenCounts> = {}): Usage {
  const counts = { ...NO_TOKENS, ...tokens };
  const price = (kind: keyof TokenCounts) => (counts[kind] * model.cost[kind]) / 1_000_000;
  const cost = {
    input: price("input"),
    output: price("output"),
    cacheRead: price("cacheRead"),
    cacheWrite: price("cacheWrite"),
  };
  return {
    ...counts,
    totalTokens: counts.input + counts.output + counts.cacheRead + counts.cacheWrite,
    cost: { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite },
  };
}

/** The SDK counts cached tokens into the total; `input` here is what was neither read nor written. */
export function sdkTokens({ inputTokens, outputTokens }: SdkUsage): TokenCounts {
  const { total = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const input = inputTokens.noCache ?? Math.max(0, total - cacheRead - cacheWrite);
  return { input, output: outputTokens.total ?? 0, cacheRead, cacheWrite };
}
