import type { Model, ThinkingLevel } from "../../events/index.ts";

export interface BuiltinProvider {
  readonly title: string;
  readonly api: string;
  readonly baseUrl: string;
  /** Environment variables: the first that is set has the key, or moves the base URL. */
  readonly keyVariables: readonly string[];
  readonly baseUrlVariables: readonly string[];
  /** For ids that are not listed. */
  readonly defaults: { readonly contextWindow: number; readonly maxTokens: number };
  /** The first is the one that is used when nobody asks for another. */
  readonly models: readonly Row[];
}

interface Row {
  readonly id: string;
  readonly name: string;
  /** US dollars per million tokens: input, output, cache read, cache write. */
  readonly cost: readonly [number, number, number, number];
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly levels?: Partial<Record<ThinkingLevel, string | null>>;
}

const CLAUDE = { contextWindow: 1_000_000, maxTokens: 128_000 };
const OLD_CLAUDE = { contextWindow: 200_000, maxTokens: 64_000 };
const GPT = { contextWindow: 1_050_000, maxTokens: 128_000 };
const GEMINI = { contextWindow: 1_048_576, maxTokens: 65_536 };
const ALWAYS_THINKS = { off: null, minimal: null };
const CAN_BE_SILENT = { off: "none", minimal: "low" };

/**
 * Prices of October 2026, for prompts below the provider's long-context step. Where a provider sells
 * cheaper until a date, the price of today is given.
 */
export const CATALOGUE: Readonly<Record<string, BuiltinProvider>> = {
  anthropic: {
    title: "Anthropic",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    defaults: OLD_CLAUDE,
    models: [
      row("claude-sonnet-5-5", "Claude Sonnet 5.5", [2, 10, 0.2, 2.5], CLAUDE),
      row("claude-opus-5-5", "Claude Opus 5.5", [4, 20, 0.2, 5], CLAUDE),
      row("claude-fable-5-1", "Claude Fable 5.1", [10, 50, 0.25, 12.5], CLAUDE),
      row("claude-haiku-5-5", "Claude Haiku 5.5", [0.1, 0.5, 0.01, 0.125], CLAUDE),
      row("claude-opus-5", "Claude Opus 5", [5, 25, 0.5, 6.25], CLAUDE),
      row("claude-sonnet-5", "Claude Sonnet 5", [2, 10, 0.2, 2.5], CLAUDE),
      row("claude-haiku-4-5", "Claude Haiku 4.5", [1, 5, 0.1, 1.25], OLD_CLAUDE),
    ],
  },
  openai: {
    title: "OpenAI",
    api: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariables: ["OPENAI_BASE_URL"],
    defaults: { contextWindow: 400_000, maxTokens: 128_000 },
    models: [
      row("gpt-6.1-sol", "GPT-6.1 Sol", [2, 10, 0.1, 2.5], GPT, ALWAYS_THINKS),
      row("gpt-6-astra", "GPT-6 Astra", [10, 50, 1, 12.5], GPT, ALWAYS_THINKS),
      row("gpt-6.1-terra", "GPT-6.1 Terra", [1, 5, 0.05, 1.25], GPT, CAN_BE_SILENT),
      row("gpt-6-luna", "GPT-6 Luna", [0.1, 0.5, 0.01, 0.125], GPT, CAN_BE_SILENT),
    ],
  },
  google: {
    title: "Google",
    api: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    baseUrlVariables: [],
    defaults: GEMINI,
    models: [
      row("gemini-4-argon", "Gemini 4 Argon", [2, 10, 0.1, 0], GEMINI, ALWAYS_THINKS),
      row("gemini-3.8-flash", "Gemini 3.8 Flash", [0.75, 3.75, 0.075, 0], GEMINI, ALWAYS_THINKS),
      row("gemini-3.1-flash-lite", "Gemini 3.1 Flash-Lite", [0.25, 1.5, 0.025, 0], GEMINI),
    ],
  },
};

function row(
  id: string,
  name: string,
  cost: Row["cost"],
  sizes: BuiltinProvider["defaults"],
  levels?: Row["levels"],
): Row {
  return { id, name, cost, ...sizes, ...(levels && { levels }) };
}

export function builtinModels(provider: string, baseUrl: string): Model[] {
  const { api, models } = CATALOGUE[provider] ?? { api: "", models: [] };
  return models.map(({ id, name, cost, contextWindow, maxTokens, levels }) => {
    const [input, output, cacheRead, cacheWrite] = cost;
    return {
      id,
      name,
      api,
      provider,
      baseUrl,
      reasoning: true,
      ...(levels && { thinkingLevelMap: levels }),
      input: ["text", "image"],
      cost: { input, output, cacheRead, cacheWrite },
      contextWindow,
      maxTokens,
    };
  });
}
