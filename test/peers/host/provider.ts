import type { AssistantMessage, Model } from "../../../src/events/index.ts";
import {
  type AssistantMessageStream,
  createAssistantMessageEventStream,
  type ModelRequest,
} from "../../../src/extensions/index.ts";
import { type Models, type ScriptedTurn, scriptedModels } from "../../../src/host/models/index.ts";

/** A provider with a key whose model answers from a script. */
export interface ScriptedProvider {
  readonly requests: ModelRequest[];
  readonly keys: (string | undefined)[];
  addTo(models: Models): void;
}

export function scriptedProvider(
  name: string,
  ids: string | readonly string[],
  turns: readonly ScriptedTurn[],
): ScriptedProvider {
  const script = scriptedModels(turns);
  const requests: ModelRequest[] = [];
  const keys: (string | undefined)[] = [];
  return {
    requests,
    keys,
    addTo: (models) =>
      models.register(name, {
        apiKey: "secret",
        baseUrl: "http://127.0.0.1:9",
        api: "peer-api",
        models: [ids].flat().map((id) => ({
          id,
          name: id,
          reasoning: true,
          input: ["text"],
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          contextWindow: 200_000,
          maxTokens: 8000,
        })),
        streamSimple: (model, request, options) => {
          requests.push(request);
          keys.push(options?.apiKey);
          return signed(script.stream(script.resolve("scripted/script"), request, options), model);
        },
      }),
  };
}

/** The same answer as one of this model's. */
function signed(answer: AssistantMessageStream, model: Model): AssistantMessageStream {
  const stream = createAssistantMessageEventStream();
  const sign = (message: AssistantMessage): AssistantMessage => ({
    ...message,
    provider: model.provider,
    model: model.id,
    api: model.api,
  });
  const relay = async () => {
    for await (const event of answer) {
      if (event.type === "done") stream.push({ ...event, message: sign(event.message) });
      else if (event.type === "error") stream.push({ ...event, error: sign(event.error) });
      else stream.push({ ...event, partial: sign(event.partial) });
    }
    stream.end();
  };
  void relay();
  return stream;
}
