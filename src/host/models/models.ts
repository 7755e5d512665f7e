import { join, resolve } from "node:path";
import { messageOf, type SeamError } from "../../errors/index.ts";
import type { Model } from "../../events/index.ts";
import type {
  AssistantMessageStream,
  ModelRegistry,
  ModelRequest,
  ModelRequestOptions,
  OAuthLoginCallbacks,
  ProviderConfig,
  RequestAuth,
} from "../../extensions/index.ts";
import { seamHome } from "../../settings/index.ts";
import { AuthStore } from "./auth-store.ts";
import { modelError } from "./errors.ts";
import { type Environment, KeyValues } from "./key-values.ts";
import { Logins } from "./logins.ts";
import { type ModelsFile, readModelsFile } from "./models-file.ts";
import { builtinProviders, layered, type Provider } from "./provider.ts";
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
  readonly #keys: KeyValues;
  readonly #store: AuthStore;
  readonly #logins: Logins;
  readonly #registered = new Map<string, ProviderConfig>();
  readonly #scripts = new Map<string, Script>();
  #file: ModelsFile | undefined;
  #known: ReadonlyMap<string, Provider> | undefined;

  constructor(options: ModelsOptions = {}) {
    this.#env = options.env ?? process.env;
    this.#modelsFile = options.modelsFile ?? join(seamHome(), "models.json");
    this.#store = new AuthStore(options.authFile ?? join(seamHome(), "auth.json"));
    this.#keys = new KeyValues(this.#env);
    this.#logins = new Logins(this.#store);
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

  /** Makes a script available as `scripted/<id>`. */
  addScript(script: Script): void {
    this.#scripts.set(script.model.id, script);
  }

  getAll(): Model[] {
    const scripts = [...this.#scripts.values()].map(({ model }) => model);
    return [...[...this.#providers().values()].flatMap((one) => this.#modelsOf(one)), ...scripts];
  }

  getAvailable(): Model[] {
    return this.getAll().filter((model) => this.hasConfiguredAuth(model));
  }

  find(provider: string, modelId: string): Model | undefined {
    if (provider === SCRIPTED) {
      const script = this.#scripts.get(modelId);
      if (script) return script.model;
    }
    const known = this.#providers().get(provider);
    return known && this.#modelsOf(known).find(({ id }) => id === modelId);
  }

  /** `provider/model`, `model` or `scripted:<file>`. Throws SEAM_MODEL_UNKNOWN. */
  resolve(spec: string): Model {
    if (spec.startsWith(`${SCRIPTED}:`)) return this.#script(spec.slice(SCRIPTED.length + 1)).model;
    const reachable = (model: Model) => this.hasConfiguredAuth(model);
    return resolveModel(spec, this.#providers(), this.getAll(), reachable);
  }

  /** What to use when nobody said: the first model of the first provider there is a key for. */
  defaultModel(): Model | undefined {
    return this.getAll().find((model) => this.hasConfiguredAuth(model));
  }

  hasConfiguredAuth({ provider: name }: Model): boolean {
    const provider = this.#providers().get(name);
    if (!provider) return name === SCRIPTED;
    const { key, keyVariables, oauth } = provider;
    if (this.#store.get(name)) return true;
    if (key && this.#keys.has(key)) return true;
    if (keyVariables.some((variable) => this.#env[variable])) return true;
    // A server of one's own, or a stream function: no key was ever mentioned.
    return !key && !oauth && keyVariables.length === 0;
  }

  async getApiKeyAndHeaders(model: Model): Promise<RequestAuth> {
    return this.#auth(model, undefined);
  }

  async getApiKeyForProvider(name: string): Promise<string | undefined> {
    const provider = this.#providers().get(name);
    return provider && this.#key(provider).catch(() => undefined);
  }

  getProviderDisplayName(name: string): string {
    return this.#providers().get(name)?.title ?? name;
  }

  isUsingOAuth({ provider }: Model): boolean {
    return Boolean(this.#providers().get(provider)?.oauth && this.#logins.stored(provider));
  }

  async login(name: string, callbacks: OAuthLoginCallbacks): Promise<void> {
    const oauth = this.#providers().get(name)?.oauth;
    if (!oauth) {
      const detail = "it offers no login";
      throw modelError("SEAM_LOGIN", { provider: name, detail, hint: "Use a key instead." });
    }
    await this.#logins.login(name, oauth, callbacks);
  }

  async logout(name: string): Promise<void> {
    await this.#logins.logout(name);
  }

  stream(
    model: Model,
    request: ModelRequest,
    options: ModelRequestOptions = {},
  ): AssistantMessageStream {
    const script = model.provider === SCRIPTED ? this.#scripts.get(model.id) : undefined;
    if (script) return script.stream(request, options);
    const provider = this.#providers().get(model.provider);
    const own = provider?.streamSimple;
    const auth = this.#auth(model, options.apiKey);
    // A stream function may itself ask for the same model under a standard api: that is ours to do.
    if (!own || model.api !== provider.api) return streamModel(model, request, options, auth);
    return relayStream(model, options.signal, async () => {
      const granted = await auth;
      if (!granted.ok) throw new Error(granted.error);
      const headers = { ...granted.headers, ...options.headers };
      const key = granted.apiKey === undefined ? {} : { apiKey: granted.apiKey };
      return own(model, request, { ...options, ...key, headers });
    });
  }

  async #auth(model: Model, given: string | undefined): Promise<RequestAuth> {
    const provider = this.#providers().get(model.provider);
    try {
      const apiKey = given ?? (provider && (await this.#key(provider)));
      const headers: Record<string, string> = { ...model.headers };
      for (const [name, source] of Object.entries(provider?.headers ?? {})) {
        headers[name] ??= await this.#keys.read(source);
      }
      if (provider?.authHeader && apiKey) headers.Authorization = `Bearer ${apiKey}`;
      return { ok: true, ...(apiKey !== undefined && { apiKey }), headers };
    } catch (thrown) {
      const next = thrown instanceof Error && "next" in thrown ? ` ${thrown.next}` : "";
      return { ok: false, error: `${messageOf(thrown)}${next}` };
    }
  }

  /** Undefined where none is needed; throws where one is needed and missing. */
  async #key(provider: Provider): Promise<string | undefined> {
    const { name, key, keyVariables, oauth } = provider;
    const stored = this.#store.get(name);
    if (stored?.type === "api_key") return stored.key;
    const credentials = oauth && stored ? await this.#logins.fresh(name, oauth) : undefined;
    if (oauth && credentials) return oauth.getApiKey(credentials);
    if (key) {
      return this.#keys.read(key).catch((thrown: unknown) => {
        throw this.#noKey(provider, messageOf(thrown));
      });
    }
    const variable = keyVariables.find((one) => this.#env[one]);
    if (variable !== undefined) return this.#env[variable];
    if (keyVariables.length > 0 || oauth) throw this.#noKey(provider, "none is configured");
    return undefined;
  }

  #noKey({ name, keyVariables, oauth }: Provider, detail: string): SeamError {
    const ways = [
      ...keyVariables.slice(0, 1).map((variable) => `set ${variable}`),
      ...(oauth ? [`log in to ${oauth.name}`] : []),
      `put an apiKey for it into ${this.#modelsFile}`,
    ];
    const hint = `To use it, ${ways.join(", or ")}.`;
    return modelError("SEAM_MODEL_KEY", { provider: name, detail, hint });
  }

  #modelsOf(provider: Provider): readonly Model[] {
    const { name, oauth, models } = provider;
    const credentials = oauth?.modifyModels && this.#logins.stored(name);
    return (credentials && oauth.modifyModels?.([...models], credentials)) || models;
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
