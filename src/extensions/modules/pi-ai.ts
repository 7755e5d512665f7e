import { type TUnsafe, Type } from "typebox";
import {
  type AssistantMessage,
  type Model,
  THINKING_LEVELS,
  type ThinkingLevel,
  type Usage,
} from "../../events/index.ts";
import type {
  AssistantMessageStream,
  ModelRegistry,
  ModelRequest,
  ModelRequestOptions,
} from "../api/models.ts";
import {
  AssistantMessageEventStream,
  createAssistantMessageEventStream,
  EventStream,
} from "./event-stream.ts";

type StreamFunction = (
  model: Model,
  request: ModelRequest,
  options?: ModelRequestOptions,
) => AssistantMessageStream;

interface ApiProvider {
  api: string;
  stream?: StreamFunction;
  streamSimple?: StreamFunction;
}

/** One string of a list, as a plain enum: some providers do not understand anyOf. */
function StringEnum<const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

/** Fills in what an answer cost; prices are per million tokens. */
function calculateCost(model: Model, usage: Usage): Usage["cost"] {
  const { cost } = model;
  const of = (tokens: number, price: number) => (tokens * price) / 1_000_000;
  const parts = {
    input: of(usage.input, cost.input),
    output: of(usage.output, cost.output),
    cacheRead: of(usage.cacheRead, cost.cacheRead),
    cacheWrite: of(usage.cacheWrite, cost.cacheWrite),
  };
  const total = parts.input + parts.output + parts.cacheRead + parts.cacheWrite;
  usage.cost = { ...parts, total };
  return usage.cost;
}

function getSupportedThinkingLevels(model: Model): ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  // The highest one only where the model says what it is.
  return THINKING_LEVELS.filter((level) => {
    const mapped = model.thinkingLevelMap?.[level];
    return level === "xhigh" ? typeof mapped === "string" : mapped !== null;
  });
}

function clampThinkingLevel(model: Model, level: ThinkingLevel): ThinkingLevel {
  const supported = getSupportedThinkingLevels(model);
  const wanted = THINKING_LEVELS.indexOf(level);
  return (
    supported.findLast((one) => THINKING_LEVELS.indexOf(one) <= wanted) ?? supported[0] ?? "off"
  );
}

function modelsAreEqual(a: Model | null | undefined, b: Model | null | undefined): boolean {
  return Boolean(a && b) && a?.provider === b?.provider && a?.id === b?.id;
}

/** Pi's module for asking models, on top of the models of whatever host is running. */
export function piAi(registry: () => ModelRegistry) {
  const ownApis = new Map<string, ApiProvider>();

  const stream: StreamFunction = (model, request, options) => {
    const own = ownApis.get(model.api);
    const run = own?.streamSimple ?? own?.stream;
    return run ? run(model, request, options) : registry().stream(model, request, options);
  };
  const complete = async (
    model: Model,
    request: ModelRequest,
    options?: ModelRequestOptions,
  ): Promise<AssistantMessage> => stream(model, request, options).result();
  const through =
    (api: string): StreamFunction =>
    (model, request, options) =>
      registry().stream({ ...model, api }, request, options);

  return {
    Type,
    StringEnum,
    EventStream,
    AssistantMessageEventStream,
    createAssistantMessageEventStream,
    calculateCost,
    getSupportedThinkingLevels,
    clampThinkingLevel,
    modelsAreEqual,
    getModel: (provider: string, id: string) => registry().find(provider, id),
    getModels: (provider: string) =>
      registry()
        .getAll()
        .filter((m) => m.provider === provider),
    getProviders: () => [
      ...new Set(
        registry()
          .getAll()
          .map((model) => model.provider),
      ),
    ],
    stream,
    streamSimple: stream,
    complete,
    completeSimple: complete,
    streamSimpleAnthropic: through("anthropic-messages"),
    streamSimpleOpenAIResponses: through("openai-responses"),
    streamSimpleOpenAICompletions: through("openai-completions"),
    streamSimpleGoogle: through("google-generative-ai"),
    registerApiProvider: (provider: ApiProvider) => {
      ownApis.set(provider.api, provider);
    },
    getApiProvider: (api: string) => ownApis.get(api),
  };
}
