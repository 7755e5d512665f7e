import { SeamError } from "../errors/index.ts";
import type { AssistantMessage, Model } from "../events/index.ts";
import {
  createAssistantMessageEventStream,
  type ModelRegistry,
  type ProviderConfig,
} from "../extensions/index.ts";

/** The model every test host has. */
export const TEST_MODEL: Model = {
  id: "scripted",
  name: "Scripted",
  api: "test",
  provider: "test",
  baseUrl: "",
  reasoning: false,
  input: ["text", "image"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 10_000,
};

/** Models that answer with prepared texts, one after the other. */
export class ScriptedModels implements ModelRegistry {
  readonly #models = new Map<string, Model[]>([["test", [TEST_MODEL]]]);
  readonly #replies: string[];
  readonly #configs = new Map<string, ProviderConfig>();

  constructor(replies: readonly string[]) {
    this.#replies = [...replies];
  }

  register(provider: string, config: ProviderConfig): void {
    this.#configs.set(provider, config);
    const { api = "test", baseUrl = "" } = config;
    const models = config.models?.map((model) => ({ api, baseUrl, ...model, provider }));
    if (models) this.#models.set(provider, models);
  }

  unregister(provider: string): void {
    this.#models.delete(provider);
    this.#configs.delete(provider);
  }

  getAll = () => [...this.#models.values()].flat();
  getAvailable = () => this.getAll();
  find = (provider: string, id: string) => this.#models.get(provider)?.find((m) => m.id === id);
  hasConfiguredAuth = () => true;
  getApiKeyAndHeaders = async () => ({ ok: true as const, apiKey: "test" });
  getApiKeyForProvider = async () => "test";
  getProviderDisplayName = (provider: string) => this.#configs.get(provider)?.name ?? provider;
  isUsingOAuth = (model: Model) => this.#configs.get(model.provider)?.oauth !== undefined;

  stream: ModelRegistry["stream"] = (model, request, options) => {
    const own = this.#configs.get(model.provider)?.streamSimple;
    if (own) return own(model, request, options);
    const text = this.#replies.shift();
    if (text === undefined) {
      const detail = "the test host has no reply left";
      throw new SeamError("SEAM_MODEL_UNAVAILABLE", { detail });
    }
    const stream = createAssistantMessageEventStream();
    stream.push({ type: "done", reason: "stop", message: reply(model, text) });
    return stream;
  };
}

function reply(model: Model, text: string): AssistantMessage {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } },
    stopReason: "stop",
    timestamp: Date.now(),
  };
}
