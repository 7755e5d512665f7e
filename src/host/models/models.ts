import { join, resolve } from "node:path";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { Model } from "../../events/index.ts";
import {
  type AssistantMessageStream,
  type ClassifierModel,
  type ClassifierRequest,
  type ClassifierResult,
  type ModelRegistry,
  type ModelRequest,
  type ModelRequestOptions,
  type OAuthLoginCallbacks,
  type ProviderAuthStatus,
  type ProviderConfig,
  type RequestAuth,
  type RoutedModel,
  VIRTUAL_API,
} from "../../extensions/index.ts";
import { seamHome } from "../../settings/index.ts";
import type { Environment } from "./key-values.ts";
import { type LoginProvider, noModel, unknownLogin } from "./model-errors.ts";
import { type ModelsFile, readModelsFile } from "./models-file.ts";
import { builtinProviders, layered, type Provider } from "./provider.ts";
import { ProviderAuth } from "./provider-auth.ts";
import { relayStream } from "./relay-stream.ts";
import { resolveModel } from "./resolve-model.ts";
import type { Script } from "./scripted/script.ts";
import { readScript } from "./scripted/script.ts";
import { streamModel } from "./stream-model.ts";
import { directRoute, routeWith, virtualModel } from "./virtual-models.ts";

export interface ModelsOptions {
  /** Default: `models.json` and `auth.json` in the user's Seam folder. */
  readonly modelsFile?: string;
  readonly authFile?: string;
  readonly env?: Environment;
}

const SCRIPTED = "scripted";
const REFRESH_MS = 30_000;

/**
 * All models there are: the built-in ones, those of the user's models.json, those extensions
 * registered, and scripts. Files are read on first need.
 *
 * @example
 * const models = new Models();
 * console.log(models.getAvailable().map(({ provider, id }) => `${provider}/${id}`));
 */
export class Models implements ModelRegistry {
  readonly #env: Environment;
  readonly #modelsFile: string;
  readonly #auth: ProviderAuth;
  readonly #registered = new Map<string, ProviderConfig>();
  readonly #scripts = new Map<string, Script>();
  /** By `provider/id`. */
  readonly #virtual = new Map<string, RoutedModel>();
  #file: ModelsFile | undefined;
  #known: ReadonlyMap<string, Provider> | undefined;

  constructor(options: ModelsOptions = {}) {
    this.#env = options.env ?? process.env;
    this.#modelsFile = options.modelsFile ?? join(seamHome(), "models.json");
    this.#auth = new ProviderAuth(this.#env, {
      modelsFile: this.#modelsFile,
      authFile: options.authFile ?? join(seamHome(), "auth.json"),
    });
  }

  /** What in models.json could not be used. */
  get problems(): readonly SeamError[] {
    return this.#readFile().problems;
  }

  register(name: string, config: ProviderConfig): void {
    this.#registered.set(name, config);
    this.#known = undefined;
    if (config.refreshModels) void this.#refreshed(name, config);
  }

  /** Brings back what the provider was before. */
  unregister(name: string): void {
    this.#registered.delete(name);
    this.#known = undefined;
  }

  /** Asks a provider with this key, whatever is configured, until the program ends. */
  useKey(provider: string, key: string): void {
    this.#auth.useKey(provider, key);
  }

  registerVirtual(model: RoutedModel): void {
    this.#virtual.set(`${model.provider}/${model.id}`, model);
  }

  unregisterVirtual(provider: string, id: string): void {
    this.#virtual.delete(`${provider}/${id}`);
  }

  /** The model that is to answer one request, if the one that is selected only names others. */
  router(model: Model): RoutedModel["route"] | undefined {
    if (model.api !== VIRTUAL_API) return undefined;
    const virtual = this.#virtual.get(`${model.provider}/${model.id}`);
    return virtual && ((request) => routeWith(virtual, request, this));
  }

  registerProvider = (name: string, config: ProviderConfig) => this.register(name, config);
  unregisterProvider = (name: string) => this.unregister(name);

  /** Reads models.json anew. */
  refresh(): void {
    this.#file = undefined;
    this.#known = undefined;
    for (const [name, config] of this.#registered) {
      if (config.refreshModels) void this.#refreshed(name, config);
    }
  }

  /** What in models.json could not be used, in words. */
  getError(): string | undefined {
    const { problems } = this;
    return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(" ");
  }

  /** Makes a script available as `scripted/<id>`. */
  addScript(script: Script): void {
    this.#scripts.set(script.model.id, script);
  }

  getAll(): Model[] {
    const scripts = [...this.#scripts.values()].map(({ model }) => model);
    const virtual = [...this.#virtual.values()].map(virtualModel);
    const listed = [...this.#providers().values()].flatMap((one) => this.#modelsOf(one));
    // Whoever brought a script wants it used.
    return [...scripts, ...listed, ...virtual];
  }

  getAvailable(): Model[] {
    return this.getAll().filter((model) => this.hasConfiguredAuth(model));
  }

  find(provider: string, modelId: string): Model | undefined {
    const script = provider === SCRIPTED ? this.#scripts.get(modelId) : undefined;
    if (script) return script.model;
    const virtual = this.#virtual.get(`${provider}/${modelId}`);
    if (virtual) return virtualModel(virtual);
    const known = this.#providers().get(provider);
    return known && this.#modelsOf(known).find(({ id }) => id === modelId);
  }

  /** `provider/model`, `model` or `scripted:<file>`. Throws SEAM_MODEL_UNKNOWN. */
  resolve(spec: string): Model {
    if (spec.startsWith(`${SCRIPTED}:`)) return this.#script(spec.slice(SCRIPTED.length + 1)).model;
    // As a script's model is written elsewhere: scripted//the/whole/path.json
    if (spec.startsWith(`${SCRIPTED}//`))
      return this.#script(spec.slice(SCRIPTED.length + 1)).model;
    const reachable = (model: Model) => this.hasConfiguredAuth(model);
    return resolveModel(spec, this.#providers(), this.getAll(), reachable);
  }

  /** Whether `resolve` finds something. */
  knows(spec: string): boolean {
    try {
      return this.resolve(spec) !== undefined;
    } catch (thrown) {
      // Anything else, such as a script that cannot be read, is said when it is resolved.
      return !(thrown instanceof SeamError && thrown.code === "SEAM_MODEL_UNKNOWN");
    }
  }

  /** What to use when nobody said: the first model of the first provider there is a key for. */
  defaultModel(): Model | undefined {
    return this.getAll().find((model) => this.hasConfiguredAuth(model));
  }

  hasConfiguredAuth(model: Model): boolean {
    // Whether the real one has a key is known when there is a request.
    if (model.api === VIRTUAL_API) return true;
    const provider = this.#providers().get(model.provider);
    return provider ? this.#auth.isConfigured(provider) : model.provider === SCRIPTED;
  }

  async getApiKeyAndHeaders(model: Model): Promise<RequestAuth> {
    return this.#auth.forRequest(model, this.#providers().get(model.provider), undefined);
  }

  async getApiKeyForProvider(name: string): Promise<string | undefined> {
    const provider = this.#providers().get(name);
    return provider && this.#auth.key(provider).catch(() => undefined);
  }

  getProviderAuthStatus(name: string): ProviderAuthStatus {
    if (this.#auth.logins.stored(name)) return { configured: true, source: "stored" };
    const provider = this.#providers().get(name);
    if (!provider || !this.#auth.isConfigured(provider)) return { configured: false };
    return { configured: true, source: "environment" };
  }

  getProviderDisplayName(name: string): string {
    return this.#providers().get(name)?.title ?? name;
  }

  isUsingOAuth({ provider }: Model): boolean {
    return Boolean(this.#providers().get(provider)?.oauth && this.#auth.logins.stored(provider));
  }

  /** What to say to someone who wants an answer and has no model. */
  noModel(): SeamError {
    return noModel([...this.#providers().values()], this.#modelsFile);
  }

  /** Those one can log in to. */
  loginProviders(): LoginProvider[] {
    return [...this.#providers().values()].flatMap(({ name, oauth }) =>
      oauth
        ? [{ name, title: oauth.name, isLoggedIn: Boolean(this.#auth.logins.stored(name)) }]
        : [],
    );
  }

  /** Throws SEAM_LOGIN. */
  async login(name: string, callbacks: OAuthLoginCallbacks): Promise<void> {
    const provider = this.#providers().get(name);
    if (!provider) throw unknownLogin(name, this.loginProviders());
    await this.#auth.login(provider, callbacks);
  }

  /** Calls the listener when a login cannot be renewed, until the function it returns is called. */
  onLoginLost(listener: (provider: string, cause: string) => void): () => void {
    return this.#auth.logins.onLost(listener);
  }

  /** Forgets a login, also of a provider that is not there now. Throws SEAM_LOGOUT if there is none. */
  async logout(name: string): Promise<void> {
    await this.#auth.logins.logout(name);
  }

  /** The providers for which a login or a key is kept. */
  storedLogins(): string[] {
    return this.#auth.logins.names();
  }

  streamSimple = (model: Model, request: ModelRequest, options?: ModelRequestOptions) =>
    this.stream(model, request, options);
  complete = (model: Model, request: ModelRequest, options?: ModelRequestOptions) =>
    this.stream(model, request, options).result();

  findOfType(type: "chat", provider: string, modelId: string): Model | undefined;
  findOfType(type: "classifier", provider: string, modelId: string): ClassifierModel | undefined;
  findOfType(type: "chat" | "classifier", provider: string, modelId: string) {
    if (type === "chat") return this.find(provider, modelId);
    const { classifierModels = [] } = this.#providers().get(provider) ?? {};
    return classifierModels.find(({ id }) => id === modelId);
  }

  async classify(
    model: ClassifierModel,
    request: ClassifierRequest,
    options: ModelRequestOptions = {},
  ): Promise<ClassifierResult> {
    const failed = (errorMessage: string): ClassifierResult => {
      const stopReason = options.signal?.aborted ? "aborted" : "error";
      return { stopReason, answers: {}, errorMessage };
    };
    const provider = this.#providers().get(model.provider);
    const classifier = provider?.classifiers[model.api];
    if (!classifier) return failed(`Nobody can ask ${model.provider}/${model.id}.`);
    try {
      const apiKey = options.apiKey ?? (await this.#auth.key(provider));
      return await classifier.classify(model, request, {
        ...options,
        ...(apiKey !== undefined && { apiKey }),
      });
    } catch (thrown) {
      return failed(messageOf(thrown));
    }
  }

  stream(
    model: Model,
    request: ModelRequest,
    options: ModelRequestOptions = {},
  ): AssistantMessageStream {
    if (model.api === VIRTUAL_API) {
      return relayStream(model, options.signal, async () => {
        const route = await directRoute(this.router(model), model, request, options);
        const { model: chosen, thinkingLevel } = route;
        const { reasoning: _, ...rest } = options;
        const level = thinkingLevel === "off" ? {} : { reasoning: thinkingLevel };
        return this.stream(chosen, request, { ...rest, ...level });
      });
    }
    const script = model.provider === SCRIPTED ? this.#scripts.get(model.id) : undefined;
    if (script) return script.stream(request, options);
    const provider = this.#providers().get(model.provider);
    const own = provider?.streamSimple;
    const auth = this.#auth.forRequest(model, provider, options.apiKey);
    // A stream function may itself ask for the same model under a standard api: that is ours to do.
    if (!own || model.api !== provider.api) {
      const given = options.apiKey !== undefined;
      const aboutKey = () => this.#auth.aboutKey(given ? undefined : provider);
      return streamModel(model, request, options, auth, aboutKey);
    }
    return relayStream(model, options.signal, async () => {
      const granted = await auth;
      if (!granted.ok) throw new Error(granted.error);
      const resolved = await provider.resolveAuth?.();
      const headers = { ...granted.headers, ...resolved?.headers, ...options.headers };
      const apiKey = granted.apiKey ?? resolved?.apiKey;
      const key = apiKey === undefined ? {} : { apiKey };
      return own(model, request, { ...options, ...key, headers });
    });
  }

  /** Asks a provider for its models. If it cannot say, those it had stay. */
  async #refreshed(name: string, config: ProviderConfig): Promise<void> {
    const signal = AbortSignal.timeout(REFRESH_MS);
    try {
      const models = await config.refreshModels?.({ signal, publish: async () => {} });
      // It may have been registered anew, or taken away, meanwhile.
      if (!models || this.#registered.get(name) !== config) return;
      this.#registered.set(name, Object.assign(config, { models }));
      this.#known = undefined;
    } catch {
      // What it does not offer is said when a model is asked for.
    }
  }

  #modelsOf(provider: Provider): readonly Model[] {
    const { name, oauth, models } = provider;
    const credentials = oauth?.modifyModels && this.#auth.logins.stored(name);
    if (!credentials) return models;
    try {
      return oauth.modifyModels?.([...models], credentials) ?? models;
    } catch {
      // One provider's mistake must not hide the models of all.
      return models;
    }
  }

  #providers(): ReadonlyMap<string, Provider> {
    if (this.#known) return this.#known;
    const known = new Map(builtinProviders(this.#env).map((one) => [one.name, one]));
    for (const [name, layer] of this.#readFile().layers) {
      known.set(name, layered(name, known.get(name), layer));
    }
    for (const [name, config] of this.#registered) {
      const layer = { config, models: "replace", mayRunCommands: false } as const;
      known.set(name, layered(name, known.get(name), layer));
    }
    this.#known = known;
    return known;
  }

  #readFile(): ModelsFile {
    this.#file ??= readModelsFile(this.#modelsFile);
    return this.#file;
  }

  #script(file: string): Script {
    const path = resolve(file);
    const known = this.#scripts.get(path);
    if (known) return known;
    const script = readScript(path);
    this.addScript(script);
    return script;
  }
}
