import type { EntryUsage } from "../../agents/index.ts";
import type { Settings } from "../../settings/index.ts";

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Where it is not said, a provider takes nothing extra: as much as for input. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  /** What is kept in the cache for an hour instead of five minutes. */
  readonly cacheWriteHour?: number | undefined;
  /** Long requests cost more. */
  readonly long?: LongPrice;
}

interface LongPrice {
  /** Tokens from which on. */
  readonly above: 200_000 | 272_000;
  /** What costs more: only the tokens above, each kind counted by itself, or all of the request. */
  readonly applies: "tokens above" | "whole request";
  readonly input: number;
  readonly output: number;
}

/** The day on which the prices below were looked up. Users say better ones in the setting `prices`. */
export const PRICES_OF = "2026-11-17";

/** Anthropic: writing to the cache costs a quarter more than input, for an hour twice as much. */
const anthropic = (input: number, output: number, long?: LongPrice): Price => ({
  input,
  output,
  cacheRead: input / 10,
  cacheWrite: input * 1.25,
  cacheWriteHour: input * 2,
  ...(long && { long }),
});

/** Others: only reading from the cache has a price of its own. */
const other = (input: number, output: number, cacheRead: number, long?: LongPrice): Price => ({
  input,
  output,
  cacheRead,
  ...(long && { long }),
});

/** OpenAI from GPT-5.6 on: writing to the cache costs more than input, too. */
const openAi = (input: number, output: number): Price => ({
  input,
  output,
  cacheRead: input / 10,
  cacheWrite: input * 1.25,
  long: whole(272_000, input * 2, output * 1.5),
});

const above200 = (input: number, output: number): LongPrice => ({
  above: 200_000,
  applies: "tokens above",
  input,
  output,
});
const whole = (above: LongPrice["above"], input: number, output: number): LongPrice => ({
  above,
  applies: "whole request",
  input,
  output,
});

/** By the beginning of a model's name; the longest that fits counts. */
const PRICES: Readonly<Record<string, Price>> = {
  "claude-3-5-haiku": anthropic(0.8, 4),
  "claude-3-5-sonnet": anthropic(3, 15),
  "claude-3-7-sonnet": anthropic(3, 15),
  "claude-haiku-4-5": anthropic(1, 5),
  "claude-opus-4": anthropic(15, 75),
  "claude-opus-4-1": anthropic(15, 75),
  "claude-opus-4-5": anthropic(5, 25),
  "claude-opus-4-6": anthropic(5, 25),
  "claude-opus-4-7": anthropic(5, 25),
  "claude-opus-4-8": anthropic(5, 25),
  "claude-opus-5": anthropic(5, 25),
  "claude-sonnet-4": anthropic(3, 15, above200(6, 22.5)),
  "claude-sonnet-4-5": anthropic(3, 15, above200(6, 22.5)),
  "claude-sonnet-4-6": anthropic(3, 15),
  "claude-sonnet-5": anthropic(2, 10),
  "gpt-4.1": other(2, 8, 0.5),
  "gpt-4.1-mini": other(0.4, 1.6, 0.1),
  "gpt-4o": other(2.5, 10, 1.25),
  "gpt-4o-mini": other(0.15, 0.6, 0.075),
  "gpt-5": other(1.25, 10, 0.125),
  "gpt-5-mini": other(0.25, 2, 0.025),
  "gpt-5-nano": other(0.05, 0.4, 0.005),
  "gpt-5-codex": other(1.25, 10, 0.125),
  "gpt-5.1": other(1.25, 10, 0.125),
  "gpt-5.1-codex": other(1.25, 10, 0.125),
  "gpt-5.1-codex-max": other(1.25, 10, 0.125),
  "gpt-5.1-codex-mini": other(0.25, 2, 0.025),
  "gpt-5.2": other(1.75, 14, 0.175),
  "gpt-5.2-codex": other(1.75, 14, 0.175),
  "gpt-5.3-codex": other(1.75, 14, 0.175),
  "gpt-5.3": other(1.75, 14, 0.175),
  "gpt-5.4": other(2.5, 15, 0.25, whole(272_000, 5, 22.5)),
  "gpt-5.4-mini": other(0.75, 4.5, 0.075),
  "gpt-5.4-nano": other(0.2, 1.25, 0.02),
  "gpt-5.5": other(5, 30, 0.5, whole(272_000, 10, 45)),
  "gpt-5.6-luna": openAi(0.2, 1.2),
  "gpt-5.6-sol": openAi(4, 20),
  "gpt-5.6-terra": openAi(2, 12),
  "gpt-6-astra": openAi(10, 50),
  "gemini-2.5-pro": other(1.25, 10, 0.125, whole(200_000, 2.5, 15)),
  "gemini-2.5-flash": other(0.3, 2.5, 0.03),
  "gemini-2.5-flash-lite": other(0.1, 0.4, 0.01),
  "gemini-3-pro": other(2, 12, 0.2),
  "gemini-3-flash": other(0.5, 3, 0.05),
  "gemini-3.1-pro": other(2, 12, 0.2, whole(200_000, 4, 18)),
  "gemini-3.5-flash": other(1.5, 9, 0.15),
};

/** A date, a version or the like may follow a name; another word makes it another model. */
const REST = /^(?:$|[-@:](?:\d{6,}|latest|preview|thinking|v\d|\d{4}-\d\d-\d\d))/;

/** What a model costs; undefined if nobody said it. */
export function priceOf(model: string, own: Settings["prices"]): Price | undefined {
  const name = model
    .replace(/^.*\//, "")
    .replace(/^(?:us|eu|apac|global)\./, "")
    .replace(/^anthropic\./, "");
  return own[model] ?? longest(own, name) ?? longest(PRICES, name);
}

function longest(prices: Readonly<Record<string, Price>>, name: string): Price | undefined {
  const fitting = Object.keys(prices)
    .filter((start) => name.startsWith(start) && REST.test(name.slice(start.length)))
    .sort((a, b) => b.length - a.length);
  return fitting[0] === undefined ? undefined : prices[fitting[0]];
}

/** Tokens of calls that are alike in how long they were. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Of those, for an hour. */
  readonly cacheHour: number;
  /** How many tokens each call had that went in, at least. */
  readonly longerThan: number;
  /** Of each kind, those above 200,000 in a call. */
  readonly above: Readonly<Record<"input" | "output" | "cacheRead" | "cacheWrite", number>>;
}

const MILLION = 1_000_000;

/** In dollars. */
export function costOf(price: Price, tokens: Tokens): number {
  const { long } = price;
  const isLong = long?.applies === "whole request" && tokens.longerThan >= long.above;
  const factor = isLong ? long.input / price.input : 1;
  const input = price.input * factor;
  const output = isLong ? long.output : price.output;
  const read = (price.cacheRead ?? price.input) * factor;
  const write = (price.cacheWrite ?? price.input) * factor;
  const hour = (price.cacheWriteHour ?? price.cacheWrite ?? price.input) * factor;
  const plain =
    tokens.input * input +
    tokens.output * output +
    tokens.cacheRead * read +
    (tokens.cacheWrite - tokens.cacheHour) * write +
    tokens.cacheHour * hour;
  if (long?.applies !== "tokens above") return plain / MILLION;
  const more = long.input / price.input - 1;
  const { above } = tokens;
  const extra =
    above.input * price.input * more +
    above.cacheRead * read * more +
    above.cacheWrite * write * more +
    above.output * (long.output - price.output);
  return (plain + extra) / MILLION;
}

/** What one call of a model cost: as its agent wrote it down, or by the price; undefined if unknown. */
export function callCost(
  model: string | undefined,
  { tokens, hourCacheTokens = 0, cost }: EntryUsage,
  own: Settings["prices"],
): number | undefined {
  if (cost !== undefined) return cost;
  const price = model === undefined ? undefined : priceOf(model, own);
  if (!price) return undefined;
  const input = tokens.input_tokens;
  const output = tokens.output_tokens;
  const cacheRead = tokens.cache_read_tokens;
  const cacheWrite = tokens.cache_creation_tokens;
  const above = (count: number) => Math.max(0, count - 200_000);
  const all = input + cacheRead + cacheWrite;
  return costOf(price, {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheHour: hourCacheTokens,
    longerThan: all > 272_000 ? 272_000 : all > 200_000 ? 200_000 : 0,
    above: {
      input: above(input),
      output: above(output),
      cacheRead: above(cacheRead),
      cacheWrite: above(cacheWrite),
    },
  });
}
