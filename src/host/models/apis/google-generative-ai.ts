import type { ProviderOptions } from "../sdk-types.ts";
import { levelOf, THINKING_BUDGETS, wordFor } from "../thinking.ts";
import { type Api, metadataText } from "./api.ts";

const LEVEL_WORDS = {
  off: "minimal",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
};

/** Gemini before 3 is told a number of tokens. */
const BUDGET_GEMINI = /gemini-[12]\b/;

export const googleGenerativeAi: Api = {
  keyHeader: "x-goog-api-key",
  imagesInToolResults: true,

  async connect({ model, apiKey, headers, fetch }) {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    const google = createGoogleGenerativeAI({ baseURL: model.baseUrl, apiKey, headers, fetch });
    return google.languageModel(model.id);
  },

  options(model, { level }): ProviderOptions {
    if (!model.reasoning) return {};
    const chosen = levelOf(model, level);
    const thinkingConfig = BUDGET_GEMINI.test(model.id)
      ? { thinkingBudget: THINKING_BUDGETS[chosen] }
      : { thinkingLevel: wordFor(model, chosen, LEVEL_WORDS) };
    return { google: { thinkingConfig: { ...thinkingConfig, includeThoughts: chosen !== "off" } } };
  },

  readSignature(block, metadata) {
    const signature = metadataText(metadata, "google", "thoughtSignature");
    if (!signature) return {};
    if (block.type === "text") return { textSignature: signature };
    if (block.type === "thinking") return { thinkingSignature: signature };
    return { thoughtSignature: signature };
  },

  writeSignature(block): ProviderOptions | undefined {
    const signature =
      block.type === "text"
        ? block.textSignature
        : block.type === "thinking"
          ? block.thinkingSignature
          : block.thoughtSignature;
    return signature ? { google: { thoughtSignature: signature } } : {};
  },
};
