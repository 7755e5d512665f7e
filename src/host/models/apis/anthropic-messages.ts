import type { ProviderOptions } from "../sdk-types.ts";
import { levelOf, THINKING_BUDGETS, wordFor } from "../thinking.ts";
import { type Api, type AskedFor, metadataText } from "./api.ts";

const EFFORTS = {
  off: "low",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
};

/** Claude before 4.6, and other makers' models behind the same protocol, are told a budget. */
const BUDGET_CLAUDE = /claude-(?:[123]|(?:haiku|sonnet|opus)-4(?:-[0-5](?!\d)|-\d{8}|$))/;
/** These refuse a conversation that changed above a thinking block, as compaction does. */
const BINDS_THINKING = /claude-(?:(?:sonnet|opus)-5-5|fable-5-1)/;

type Thinks = Pick<Parameters<Api["options"]>[0], "id" | "compat">;

function isAdaptive({ id, compat }: Thinks): boolean {
  if (typeof compat?.forceAdaptiveThinking === "boolean") return compat.forceAdaptiveThinking;
  return id.includes("claude-") && !BUDGET_CLAUDE.test(id);
}

export const anthropicMessages: Api = {
  keyHeader: "x-api-key",
  imagesInToolResults: true,
  cachePoint: { anthropic: { cacheControl: { type: "ephemeral" } } },

  async connect({ model, apiKey, headers, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    // Pi's and Claude Code's base URLs end before /v1, the SDK's after it.
    const baseURL = `${model.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
    return createAnthropic({ baseURL, apiKey, headers, fetch }).languageModel(model.id);
  },

  needsMaxTokens: true,

  options(model, { level }): ProviderOptions {
    if (!model.reasoning) return {};
    const chosen = levelOf(model, level);
    if (chosen === "off") return { anthropic: { thinking: { type: "disabled" } } };
    if (!isAdaptive(model)) {
      const budgetTokens = THINKING_BUDGETS[chosen];
      return { anthropic: { thinking: { type: "enabled", budgetTokens } } };
    }
    const bound = BINDS_THINKING.test(model.id);
    const thinking = {
      type: "adaptive",
      display: "summarized",
      ...(bound && { blockBinding: { prefixMismatchBehavior: "drop_block" } }),
    };
    return { anthropic: { thinking, effort: wordFor(model, chosen, EFFORTS) } };
  },

  headers(model, { level }: AskedFor): Record<string, string> {
    const budget = model.reasoning && levelOf(model, level) !== "off" && !isAdaptive(model);
    // Lets these models think between tool calls, too.
    return budget ? { "anthropic-beta": "interleaved-thinking-2025-05-14" } : {};
  },

  readSignature(block, metadata) {
    if (block.type !== "thinking") return {};
    const redacted = metadataText(metadata, "anthropic", "redactedData");
    if (redacted) return { thinkingSignature: redacted, redacted: true };
    const thinkingSignature = metadataText(metadata, "anthropic", "signature");
    return thinkingSignature ? { thinkingSignature } : {};
  },

  writeSignature(block): ProviderOptions | undefined {
    if (block.type !== "thinking") return {};
    const { thinkingSignature, redacted } = block;
    // Thinking without a signature was cut off, or is not Claude's.
    if (!thinkingSignature) return undefined;
    const signed = redacted
      ? { redactedData: thinkingSignature }
      : { signature: thinkingSignature };
    return { anthropic: signed };
  },
};
