import type { Model } from "../../events/index.ts";
import type {
  ClassifierModel,
  ProviderConfig,
  ProviderModelConfig,
} from "../../extensions/index.ts";
import { builtinModels, CATALOGUE } from "./catalogue.ts";
import type { Environment, KeySource } from "./key-values.ts";

/** Who offers models and how to reach them, from all that was said about it. */
export interface Provider {
  readonly name: string;
  readonly title: string;
  readonly api: string | undefined;
  readonly baseUrl: string;
  readonly key: KeySource | undefined;
  /** Where the key is if none was configured. */
  readonly keyVariables: readonly string[];
  readonly headers: Readonly<Record<string, KeySource>>;
  readonly authHeader: boolean;
  readonly models: readonly Model[];
  /** What to assume of a model that is not listed. */
  readonly unlisted: Pick<Model, "reasoning" | "input" | "contextWindow" | "maxTokens">;
  readonly streamSimple: ProviderConfig["streamSimple"];
  readonly resolveAuth: ProviderConfig["resolveAuth"];
  readonly classifiers: NonNullable<ProviderConfig["classifiers"]>;
  readonly classifierModels: readonly ClassifierModel[];
  readonly oauth: ProviderConfig["oauth"];
}

export function builtinProviders(env: Environment): Provider[] {
  return Object.entries(CATALOGUE).map(([name, builtin]) => {
    const moved = builtin.baseUrlVariables.map((variable) => env[variable]).find(Boolean);
    const baseUrl = moved ?? builtin.baseUrl;
    return {
      name,
      title: builtin.title,
      api: builtin.api,
      baseUrl,
      key: undefined,
      keyVariables: builtin.keyVariables,
      headers: {},
      authHeader: false,
      models: builtinModels(name, baseUrl),
      unlisted: { reasoning: true, input: ["text", "image"], ...builtin.defaults },
      streamSimple: undefined,
      resolveAuth: undefined,
      classifiers: {},
      classifierModels: [],
      oauth: undefined,
    };
  });
}

export interface Layer {
  readonly config: ProviderConfig;
  /** Models of the user's file join those there are; an extension's take their place. */
  readonly models: "replace" | "join";
  readonly mayRunCommands: boolean;
  /** Changes to single models, by id. */
  readonly overrides?: Readonly<Record<string, ModelOverride>>;
}

export type ModelOverride = Partial<Omit<Model, "id" | "provider" | "cost">> & {
  cost?: Partial<Model["cost"]>;
};

/** What is known of a provider after one more said something about it. */
export function layered(name: string, base: Provider | undefined, layer: Layer): Provider {
  const { config, mayRunCommands } = layer;
  const source = (value: string): KeySource => ({ value, mayRunCommands });
  // A stream function is found by its api; without one it gets a name nobody else has.
  const api = config.api ?? (config.streamSimple ? name : base?.api);
  const baseUrl = config.baseUrl ?? base?.baseUrl ?? "";
  const provider: Provider = {
    name,
    title: config.name ?? config.oauth?.name ?? base?.title ?? name,
    api,
    baseUrl,
    key: config.apiKey === undefined ? base?.key : source(config.apiKey),
    keyVariables: base?.keyVariables ?? [],
    headers: { ...base?.headers, ...mapValues(config.headers ?? {}, source) },
    authHeader: config.authHeader ?? base?.authHeader ?? false,
    models: [],
    unlisted: base?.unlisted ?? UNLISTED,
    streamSimple: config.streamSimple ?? base?.streamSimple,
    resolveAuth: config.resolveAuth ?? base?.resolveAuth,
    classifiers: { ...base?.classifiers, ...config.classifiers },
    classifierModels: [],
    oauth: config.oauth ?? base?.oauth,
  };
  return {
    ...provider,
    models: modelsOf(provider, base, layer),
    classifierModels: (config.models ?? []).flatMap((model) =>
      model.type === "classifier" ? [toClassifier(provider, model)] : [],
    ),
  };
}

const UNLISTED: Provider["unlisted"] = {
  reasoning: false,
  input: ["text"],
  contextWindow: 128_000,
  maxTokens: 16_384,
};

function modelsOf(provider: Provider, base: Provider | undefined, layer: Layer): Model[] {
  const { config, overrides = {} } = layer;
  const own = config.models
    ?.filter(({ type = "chat" }) => type === "chat")
    .map((model) => toModel(provider, model));
  const moved = (model: Model) =>
    config.baseUrl === undefined ? model : { ...model, baseUrl: config.baseUrl };
  const kept = own && layer.models === "replace" ? [] : (base?.models ?? []).map(moved);
  const ids = new Set(own?.map(({ id }) => id));
  const all = [...kept.filter(({ id }) => !ids.has(id)), ...(own ?? [])];
  return all.map((model) => {
    const { cost, ...change } = overrides[model.id] ?? {};
    return { ...model, ...change, cost: { ...model.cost, ...cost } };
  });
}

function toClassifier(provider: Provider, config: ProviderModelConfig): ClassifierModel {
  const { id, name, contextWindow } = config;
  const api = config.api ?? provider.api ?? "";
  const baseUrl = config.baseUrl ?? provider.baseUrl;
  return { type: "classifier", id, name, provider: provider.name, api, baseUrl, contextWindow };
}

function toModel(provider: Provider, { type: _, ...config }: ProviderModelConfig): Model {
  return {
    ...config,
    api: config.api ?? provider.api ?? "",
    baseUrl: config.baseUrl ?? provider.baseUrl,
    provider: provider.name,
  };
}

function mapValues<In, Out>(record: Record<string, In>, change: (value: In) => Out) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
