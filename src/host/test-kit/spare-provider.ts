import type { AssistantMessage } from "../../events/index.ts";
import { noUsage } from "../../events/index.ts";
import { createAssistantMessageEventStream, type ProviderConfig } from "../../extensions/index.ts";

/** A provider of an extension with the model `spare`, which always says the same. */
export function spareProvider(says: string): ProviderConfig {
  return {
    api: "spare-api",
    baseUrl: "http://127.0.0.1:9",
    models: [
      {
        id: "spare",
        name: "Spare",
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 50_000,
        maxTokens: 1_000,
      },
    ],
    streamSimple: (model) => {
      const stream = createAssistantMessageEventStream();
      const message: AssistantMessage = {
        role: "assistant",
        content: [{ type: "text", text: says }],
        api: model.api,
        provider: model.provider,
        model: model.id,
        usage: noUsage(),
        stopReason: "stop",
        timestamp: Date.now(),
      };
      stream.push({ type: "start", partial: message });
      stream.push({ type: "done", reason: "stop", message });
      return stream;
    },
  };
}
