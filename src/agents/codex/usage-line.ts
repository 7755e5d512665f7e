import type { TokenUsage } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { count, type Json } from "../transcripts/json.ts";

/**
 * Newer versions tell the usage of a call twice, older ones again whenever a limit changes. Each
 * time the sum of the thread so far stands beside it: the same sum is the same call.
 */
export function usageOf(
  call: unknown,
  threadSum: unknown,
  common: Pick<TranscriptEntry, "id" | "at">,
): TranscriptEntry[] {
  if (!isRecord(call) || !isRecord(threadSum)) return [{ ...common, kind: "other" }];
  const sum = tokensOf(threadSum);
  const { input_tokens, cache_read_tokens, cache_creation_tokens, output_tokens } = sum;
  const key = [input_tokens, cache_read_tokens, cache_creation_tokens, output_tokens].join("/");
  return [{ ...common, kind: "other", usage: { key, tokens: tokensOf(call) } }];
}

/** Codex counts cached input as input. */
function tokensOf(usage: Json): TokenUsage {
  const read = count(usage.cached_input_tokens);
  const written = count(usage.cache_write_input_tokens);
  return {
    input_tokens: Math.max(0, count(usage.input_tokens) - read - written),
    cache_creation_tokens: written,
    cache_read_tokens: read,
    output_tokens: count(usage.output_tokens),
    api_call_count: 1,
  };
}
