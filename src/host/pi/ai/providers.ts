import { existsSync } from "node:fs";
import { homedir } from "node:os";
import type { Model } from "../../../events/index.ts";
import {
  type AssistantMessageStream,
  createAssistantMessageEventStream,
  type ModelRegistry,
  type ModelRequest,
  type ModelRequestOptions,
} from "../../../extensions/index.ts";
import { formatThrownValue } from "./diagnostics.ts";
import { fauxAssistantMessage } from "./faux.ts";
import { getIdentityHeaders } from "./identity.ts";

type Stream = (
  model: Model,
  request: ModelRequest,
  options?: ModelRequestOptions,
) => AssistantMessageStream;
interface Streams {
  stream: Stream;
  streamSimple: Stream;
}
interface Auth {
  readonly apiKey?: { resolve?(context: unknown): unknown } & Record<string, unknown>;
  readonly oauth?: Record<string, unknown>;
}
interface ProviderInput {
  readonly id: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly headers?: Record<string, string | null>;
  readonly auth?: Auth;
  readonly models: readonly Model[];
  readonly api?: Partial<Streams> | Readonly<Record<string, Partial<Streams>>>;
  readonly fetchModels?: (context: { signal: AbortSignal }) => Promise<readonly Model[]>;
}

/** What went wrong with a list of models, a login or a provider. */
export class ModelsError extends Error {
  override readonly name = "ModelsError";
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(withCause(message, options?.cause), options);
    this.code = code;
  }
}

/** People are shown the message alone, so the reason belongs into it. */
function withCause(message: string, cause: unknown): string {
  const detail = cause === undefined || cause === null ? "" : formatThrownValue(cause).trim();
  return detail === "" || message.includes(detail) ? message : `${message}: ${detail}`;
}

/** A stream that begins when what it comes from has been set up. */
export function lazyStream(
  model: Model,
  setup: () => Promise<AssistantMessageStream>,
): AssistantMessageStream {
  const out = createAssistantMessageEventStream();
  const relay = async () => {
    for await (const event of await setup()) out.push(event);
  };
  relay().catch((thrown: unknown) => {
    const errorMessage = thrown instanceof Error ? thrown.message : String(thrown);
    const failed = fauxAssistantMessage([], { stopReason: "error", errorMessage });
    const error = { ...failed, api: model.api, provider: model.provider, model: model.id };
    out.push({ type: "error", reason: "error", error });
  });
  return out;
}

/** An api whose code is loaded with the first request. */
export function lazyApi(load: () => Promise<Streams>): Streams {
  let loaded: Promise<Streams> | undefined;
  const through =
    (name: keyof Streams): Stream =>
    (model, request, options) =>
      lazyStream(model, async () => {
        loaded ??= load();
        return (await loaded)[name](model, request, options);
      });
  return { stream: through("stream"), streamSimple: through("streamSimple") };
}

/** A login whose code is loaded when somebody logs in. */
export function lazyOAuth(input: {
  name: string;
  loginLabel?: string;
  load: () => Promise<Record<string, unknown>>;
}) {
  const call =
    (method: string) =>
    async (...args: unknown[]) => {
      const oauth = await input.load();
      const run = oauth[method];
      if (typeof run !== "function")
        throw new ModelsError("oauth", `${input.name} has no ${method}.`);
      return run.apply(oauth, args);
    };
  const { name, loginLabel = name } = input;
  return {
    name,
    loginLabel,
    login: call("login"),
    refreshToken: call("refreshToken"),
    refresh: call("refresh"),
    getApiKey: call("getApiKey"),
    toAuth: call("toAuth"),
  };
}

/** A key that comes from the environment: the first of these that is set. */
export function envApiKeyAuth(name: string, variables: readonly string[]) {
  const resolve = async ({ ctx = defaultProviderAuthContext(), credential }: Resolving = {}) => {
    if (credential?.key) {
      return { auth: { apiKey: credential.key }, env: credential.env, source: "stored credential" };
    }
    for (const source of variables) {
      const apiKey = await ctx.env(source);
      if (apiKey) return { auth: { apiKey }, source };
    }
    return undefined;
  };
  return {
    name,
    envVars: [...variables],
    login: async ({ prompt }: { prompt(question: object): Promise<string> }) => ({
      type: "api_key",
      key: await prompt({ type: "secret", message: `Enter ${name}` }),
    }),
    check: async () => {
      const found = await resolve();
      return found && { type: "env", source: found.source };
    },
    resolve,
  };
}

interface Resolving {
  readonly ctx?: { env(name: string): Promise<string | undefined> };
  readonly credential?: { readonly key?: string; readonly env?: unknown };
}

/** Where providers look for keys unless they are told otherwise. */
export const defaultProviderAuthContext = () => ({
  env: async (name: string) => process.env[name]?.trim() || undefined,
  fileExists: async (path: string) => existsSync(path.replace(/^~/, homedir())),
});

/** Credentials and lists of models that are gone with the program. */
class Store<T extends { readonly type?: unknown }> {
  readonly #kept = new Map<string, T>();
  read = async (id: string) => this.#kept.get(id);
  write = async (id: string, value: T) => void this.#kept.set(id, value);
  delete = async (id: string) => void this.#kept.delete(id);
  /** Whose there are and of which kind; never the secrets. */
  list = async () =>
    [...this.#kept].map(([providerId, { type }]) => ({
      providerId,
      ...(type !== undefined && { type }),
    }));
  modify = async (id: string, change: (current: T | undefined) => Promise<T | undefined>) => {
    const next = await change(this.#kept.get(id));
    if (next !== undefined) this.#kept.set(id, next);
    return this.#kept.get(id);
  };
}
export class InMemoryCredentialStore extends Store<Record<string, unknown>> {}
export class InMemoryModelsStore extends Store<Record<string, unknown>> {}

export const hasApi = (model: { api: string }, api: string) => model.api === api;
/** What a model is for: most are for conversations. */
export const getModelType = (model: { type?: string }) => model.type ?? "chat";
export const isModelType = (model: { type?: string }, type: string) => getModelType(model) === type;

/** Providers that are made by hand, and models of the agent where nobody brought any. */
export function providers(registry: () => ModelRegistry) {
  /** A provider with its models, to be handed to `pi.registerProvider` or a list of models. */
  const createProvider = (input: ProviderInput) => {
    const { id, name = id, baseUrl, headers, auth = {}, api = {} } = input;
    let models = input.models.map((model) => ({ ...model, provider: id }));
    const streamOf = (model: Model): Stream => {
      const byApi: Partial<Streams> | undefined = isStreams(api) ? api : api[model.api];
      return byApi?.streamSimple ?? byApi?.stream ?? ((...args) => registry().stream(...args));
    };
    const stream: Stream = (model, request, options) => streamOf(model)(model, request, options);
    return {
      id,
      name,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(headers && { headers }),
      auth,
      getModels: () => models,
      getAllModels: () => models,
      refreshModels: async ({ signal = new AbortController().signal } = {}) => {
        const fetched = await input.fetchModels?.({ signal });
        if (fetched) models = fetched.map((model) => ({ ...model, provider: id }));
      },
      stream,
      streamSimple: stream,
    };
  };
  type Provider = ReturnType<typeof createProvider>;

  const createModels = () => {
    const known = new Map<string, Provider>();
    const all = (provider?: string) =>
      [...known.values()]
        .filter(({ id }) => provider === undefined || id === provider)
        .flatMap((one) => one.getModels());
    const stream: Stream = (model, request, options) =>
      known.get(model.provider)?.stream(model, request, options) ??
      registry().stream(model, request, options);
    const complete = (...args: Parameters<Stream>) => stream(...args).result();
    const getAuth = async (of: string | Model) => {
      const provider = known.get(typeof of === "string" ? of : of.provider);
      const found: unknown = await provider?.auth.apiKey?.resolve?.({});
      return found ?? undefined;
    };
    return {
      setProvider: (provider: Provider) => void known.set(provider.id, provider),
      deleteProvider: (id: string) => void known.delete(id),
      clearProviders: () => known.clear(),
      getProviders: () => [...known.values()],
      getProvider: (id: string) => known.get(id),
      getModels: all,
      getAllModels: all,
      getModel: (provider: string, id: string) => all(provider).find((model) => model.id === id),
      getAvailable: async (provider?: string) => all(provider),
      getAuth,
      checkAuth: getAuth,
      refresh: async () => {
        const errors = new Map<string, Error>();
        for (const [id, provider] of known) {
          await provider.refreshModels().catch((error: Error) => errors.set(id, error));
        }
        return { aborted: false, errors };
      },
      stream,
      streamSimple: stream,
      complete,
      completeSimple: complete,
    };
  };
  return {
    createProvider,
    createModels,
    /** The same models; their requests say who asks. */
    withClientIdentity: (models: ReturnType<typeof createModels>, identity: object) => {
      const stream: Stream = (model, request, options = {}) => {
        const headers = {
          ...getIdentityHeaders(
            { provider: model.provider, baseUrl: model.baseUrl ?? "" },
            identity,
          ),
          ...options.headers,
        };
        return models.stream(model, request, { ...options, headers });
      };
      return { ...models, stream, streamSimple: stream };
    },
  };
}

function isStreams(api: NonNullable<ProviderInput["api"]>): api is Partial<Streams> {
  return typeof api.stream === "function" || typeof api.streamSimple === "function";
}
