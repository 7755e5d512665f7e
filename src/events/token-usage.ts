import { type Static, Type } from "typebox";
import type { Usage } from "./messages.ts";

const counts = {
  input_tokens: Type.Integer({ minimum: 0, description: "Fresh input, not from a cache." }),
  cache_creation_tokens: Type.Integer({ minimum: 0 }),
  cache_read_tokens: Type.Integer({ minimum: 0 }),
  output_tokens: Type.Integer({ minimum: 0 }),
  api_call_count: Type.Integer({ minimum: 0 }),
};

const Counts = Type.Object(counts);

/** Tokens of a checkpoint or session, with the field names they are stored under. */
export const TokenUsageSchema = Type.Object({
  ...counts,
  subagent_tokens: Type.Optional(Type.Unsafe<TokenUsage>(Counts)),
});

/** How many tokens were used, and how many of them by subagents. */
export interface TokenUsage extends Static<typeof Counts> {
  /** Tokens of the subagents this one started, themselves with theirs. */
  subagent_tokens?: TokenUsage;
}

export function noTokens(): TokenUsage {
  return {
    input_tokens: 0,
    cache_creation_tokens: 0,
    cache_read_tokens: 0,
    output_tokens: 0,
    api_call_count: 0,
  };
}

/** The sum of two; subagents are added to subagents. */
export function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  const sum: TokenUsage = {
    input_tokens: a.input_tokens + b.input_tokens,
    cache_creation_tokens: a.cache_creation_tokens + b.cache_creation_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    api_call_count: a.api_call_count + b.api_call_count,
  };
  if (a.subagent_tokens || b.subagent_tokens) {
    sum.subagent_tokens = addTokens(
      a.subagent_tokens ?? noTokens(),
      b.subagent_tokens ?? noTokens(),
    );
  }
  return sum;
}

/** What came on top of a total; a usage that was corrected downwards gives nothing back. */
export function tokensSince(before: TokenUsage, after: TokenUsage): TokenUsage {
  const grown = (field: Exclude<keyof TokenUsage, "subagent_tokens">) =>
    Math.max(0, after[field] - before[field]);
  const own: TokenUsage = {
    input_tokens: grown("input_tokens"),
    cache_creation_tokens: grown("cache_creation_tokens"),
    cache_read_tokens: grown("cache_read_tokens"),
    output_tokens: grown("output_tokens"),
    api_call_count: grown("api_call_count"),
  };
  if (after.subagent_tokens === undefined) return own;
  const children = tokensSince(before.subagent_tokens ?? noTokens(), after.subagent_tokens);
  return children.api_call_count + children.input_tokens + children.output_tokens > 0
    ? { ...own, subagent_tokens: children }
    : own;
}

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
