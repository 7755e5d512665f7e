import type { Model } from "../../../events/index.ts";
import type { ProviderOptions } from "../sdk-types.ts";
import { levelOf, wordFor } from "../thinking.ts";
import { type Api, metadataText } from "./api.ts";

const NAME = "openaiCompatible";

const EFFORTS = {
  off: undefined,
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
};

/** What servers that speak OpenAI's older language disagree on: `compat` of the model decides. */
export const openaiCompletions: Api = {
  keyHeader: "authorization",
  imagesInToolResults: false,

  async connect({ model, apiKey, headers, fetch }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const { maxTokensField = usualField(model), supportsUsageInStreaming } = model.compat ?? {};
    return createOpenAICompatible({
      name: NAME,
      baseURL: model.baseUrl,
      apiKey,
      headers: { ...headers },
      fetch,
      includeUsage: supportsUsageInStreaming !== false,
      ...(maxTokensField !== "max_tokens" && { transformRequestBody: renameMaxTokens }),
    }).languageModel(model.id);
  },

  options(model, { level }): ProviderOptions {
    if (!model.reasoning || model.compat?.supportsReasoningEffort === false) return {};
    const reasoningEffort = wordFor(model, levelOf(model, level), EFFORTS);
    return reasoningEffort === undefined ? {} : { [NAME]: { reasoningEffort } };
  },

  readSignature(block, metadata) {
    const signature = metadataText(metadata, NAME, "thoughtSignature");
    return block.type === "toolCall" && signature ? { thoughtSignature: signature } : {};
  },

  writeSignature(block): ProviderOptions | undefined {
    // Gemini behind this protocol wants its signature back; the SDK takes it under Google's name.
    if (block.type !== "toolCall" || !block.thoughtSignature) return {};
    return { google: { thoughtSignature: block.thoughtSignature } };
  },
};

/** Who still goes by the older name, as Pi knows them: by provider, or by where they are. */
const OLDER_PROVIDERS = ["moonshotai", "moonshotai-cn", "cloudflare-ai-gateway", "together"];
const OLDER_HOSTS = [
  "chutes.ai",
  "api.moonshot.",
  "gateway.ai.cloudflare.com",
  "api.together.ai",
  "api.together.xyz",
];

function usualField({ provider, baseUrl }: Model): string {
  const isOlder =
    OLDER_PROVIDERS.includes(provider) || OLDER_HOSTS.some((host) => baseUrl.includes(host));
  return isOlder ? "max_tokens" : "max_completion_tokens";
}

function renameMaxTokens(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, ...rest } = body;
  return max_tokens === undefined ? rest : { ...rest, max_completion_tokens: max_tokens };
}
