import { join, resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import type { Model } from "../../events/index.ts";
import type {
  AssistantMessageStream,
  ModelRegistry,
  ModelRequest,
  ModelRequestOptions,
  OAuthLoginCallbacks,
  ProviderAuthStatus,
  ProviderConfig,
  RequestAuth,
} from "../../extensions/index.ts";
import { seamHome } from "../../settings/index.ts";
import type { Environment } from "./key-values.ts";
import { type LoginProvider, noModel, unknownLogin } from "./model-errors.ts";
import { type ModelsFile, readModelsFile } from "./models-file.ts";
import { builtinProviders, layered, type Provider } from "./provider.ts";
import { ProviderAuth } from "./provider-auth.ts";
import { relayStream } from "./relay-stream.ts";
import { resolveModel } from "./resolve-model.ts";
import { readScript } from "./scripted/read-script.ts";
import type { Script } from "./scripted/script.ts";
import { streamModel } from "./stream-model.ts";

export interface ModelsOptions {
  /** Default: `models.json` and `auth.json` in the user's Seam folder. */
  readonly modelsFile?: string;
  readonly authFile?: string;
  readonly env?: Environment;
}

const SCRIPTED = "scripted";

/**
 * All models there are: the built-in ones, those of the user's models.json, those extensions
 * registered, and scripts. Files are read on first need.
 */
export class Models implements ModelRegistry {
  readonly #env: Environment;
  readonly #modelsFile: string;
  readonly #auth: ProviderAuth;
  readonly #registered = new Map<string, ProviderConfig>();
  readonly #scripts = new Map<string, Script>();
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
  }

  /** Brings back what the provider was before. */
  unregister(name: string): void {
    this.#registered.delete(name);
    this.#known = undefined;
  }

  registerProvider = (name: string, config: ProviderConfig) => this.register(name, config);
  unregisterProvider = (name: string) => this.unregister(name);

  /** Reads models.json anew. */
  refresh(): void {
    this.#file = undefined;
    this.#known = undefined;
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
    // Whoever brought a script wants it used.
    return [...scripts, ...[...this.#providers().values()].flatMap((one) => this.#modelsOf(one))];
  }

  getAvailable(): Model[] {
    return this.getAll().filter((model) => this.hasConfiguredAuth(model));
  }

  find(provider: string, modelId: string): Model | undefined {
    const script = provider === SCRIPTED ? this.#scripts.get(modelId) : undefined;
    if (script) return script.model;
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

  stream(
    model: Model,
    request: ModelRequest,
    options: ModelRequestOptions = {},
  ): AssistantMessageStream {
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
      const headers = { ...granted.headers, ...options.headers };
      const key = granted.apiKey === undefined ? {} : { apiKey: granted.apiKey };
      return own(model, request, { ...options, ...key, headers });
    });
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
