import type { Model, ThinkingLevel } from "../../../events/index.ts";
import type {
  ModelRequest,
  ModelRequestOptions,
  OAuthLoginCallbacks,
  ProviderConfig,
} from "../../../extensions/index.ts";
import { Models, modelsInScope, withLevel } from "../../models/index.ts";
import { AuthStorage } from "./auth-storage.ts";

/** There is no such file: nothing is read. */
const NOWHERE = "/nonexistent/models.json";

/** The models that can be asked, with keys and logins of an `AuthStorage`. */
export class ModelRegistry extends Models {
  readonly authStorage: AuthStorage;

  constructor(auth: AuthStorage, modelsFile?: string) {
    super({
      ...(auth.file !== undefined && { authFile: auth.file }),
      ...(modelsFile !== undefined && { modelsFile }),
    });
    this.authStorage = auth;
    this.refresh();
  }

  static create(auth: AuthStorage = AuthStorage.create(), modelsFile?: string): ModelRegistry {
    return new ModelRegistry(auth, modelsFile);
  }
  /** Without a models.json. */
  static inMemory(auth: AuthStorage = AuthStorage.inMemory()): ModelRegistry {
    return new ModelRegistry(auth, NOWHERE);
  }

  override refresh(): void {
    super.refresh();
    for (const [provider, apiKey] of this.authStorage.extraKeys)
      this.register(provider, { apiKey });
  }
}

/** A login that was made, or ended, and that the models do not know of. */
export class CredentialSynchronizationError extends Error {
  override readonly name = "CredentialSynchronizationError";
  readonly providerId: string;
  readonly operation: string;
  readonly credential: unknown;

  constructor(providerId: string, operation: string, credential: unknown, options?: ErrorOptions) {
    super(`The models of ${providerId} were not told of: ${operation}.`, options);
    this.providerId = providerId;
    this.operation = operation;
    this.credential = credential;
  }
}

/** Pi 1.5's way to the same models. */
export class ModelRuntime {
  readonly registry: Models;
  readonly #auth: AuthStorage;

  private constructor(registry: Models, auth: AuthStorage) {
    this.registry = registry;
    this.#auth = auth;
  }

  static async create(
    options: { authPath?: string; modelsPath?: string | null; registry?: Models } = {},
  ): Promise<ModelRuntime> {
    const { authPath, modelsPath, registry } = options;
    const auth = AuthStorage.create(authPath);
    const file = modelsPath === null ? NOWHERE : modelsPath;
    return new ModelRuntime(registry ?? new ModelRegistry(auth, file), auth);
  }

  getProviders = () => this.#names().map((id) => this.getProvider(id));
  getProvider = (id: string) => ({
    id,
    name: this.registry.getProviderDisplayName(id),
    getModels: () => this.getModels(id),
  });
  getModels = (provider?: string) =>
    this.registry.getAll().filter((model) => provider === undefined || model.provider === provider);
  getAllModels = this.getModels;
  getModel = (provider: string, id: string) => this.registry.find(provider, id);
  getPhysicalModel = this.getModel;
  getAvailableSnapshot = () => this.registry.getAvailable();
  getAvailable = async (provider?: string) =>
    this.registry
      .getAvailable()
      .filter((model) => provider === undefined || model.provider === provider);
  getAllAvailable = this.getAvailable;
  getError = () => this.registry.getError();
  hasConfiguredAuth = (provider: string) =>
    this.registry.getAvailable().some((model) => model.provider === provider);
  isUsingOAuth = (provider: string) =>
    this.getModels(provider).some((model) => this.registry.isUsingOAuth(model));
  isUsingSubscription = this.isUsingOAuth;
  getProviderAuthStatus = (provider: string) => this.registry.getProviderAuthStatus(provider);
  checkAuth = async (provider: string) =>
    this.hasConfiguredAuth(provider) ? this.getProviderAuthStatus(provider) : undefined;

  async getAuth(of: string | Model) {
    const model = typeof of === "string" ? this.getModels(of)[0] : of;
    const auth = model && (await this.registry.getApiKeyAndHeaders(model));
    if (!auth?.ok) return undefined;
    return { apiKey: auth.apiKey, headers: auth.headers };
  }
  async setRuntimeApiKey(provider: string, apiKey: string): Promise<void> {
    this.#auth.setRuntimeApiKey(provider, apiKey);
    this.registry.register(provider, { apiKey });
  }
  async removeRuntimeApiKey(provider: string): Promise<void> {
    this.#auth.removeRuntimeApiKey(provider);
    this.registry.unregister(provider);
  }
  listCredentials = async () =>
    this.#auth.list().map((providerId) => ({ providerId, type: this.#auth.get(providerId)?.type }));

  stream = (model: Model, request: ModelRequest, options?: ModelRequestOptions) =>
    this.registry.stream(model, request, options);
  streamSimple = this.stream;
  complete = (model: Model, request: ModelRequest, options?: ModelRequestOptions) =>
    this.registry.complete(model, request, options);
  completeSimple = this.complete;

  async login(provider: string, _type: string, callbacks: OAuthLoginCallbacks) {
    await this.registry.login(provider, callbacks);
    const credential = this.#auth.get(provider);
    if (!credential) throw new CredentialSynchronizationError(provider, "login", undefined);
    return credential;
  }
  logout = (provider: string) => this.registry.logout(provider);
  async refresh() {
    this.registry.refresh();
    return { providers: this.#names() };
  }
  registerProvider = (name: string, config: ProviderConfig) => this.registry.register(name, config);
  unregisterProvider = (name: string) => this.registry.unregister(name);

  #names(): string[] {
    return [...new Set(this.registry.getAll().map(({ provider }) => provider))];
  }
}

/** What `--provider`, `--model` and `--thinking` mean together. */
export function resolveCliModel(options: {
  cliProvider?: string;
  cliModel?: string;
  cliThinking?: ThinkingLevel;
  modelRuntime?: ModelRuntime;
  modelRegistry?: Models;
}) {
  const { cliProvider, cliModel, cliThinking, modelRuntime, modelRegistry } = options;
  const registry = modelRuntime?.registry ?? modelRegistry ?? new Models();
  const nothing = { model: undefined, warning: undefined, error: undefined };
  if (cliModel === undefined) return nothing;
  const [spec, level] = withLevel(cliModel, (id) => isListed(registry, cliProvider, id));
  try {
    const model = registry.resolve(cliProvider ? `${cliProvider}/${spec}` : spec);
    const thinkingLevel = cliThinking ?? level;
    return { ...nothing, model, ...(thinkingLevel && { thinkingLevel }) };
  } catch (thrown) {
    return { ...nothing, error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** The models that patterns such as `anthropic/*` and `gpt-5:high` mean. */
export async function resolveModelScopeWithDiagnostics(
  patterns: readonly string[],
  runtime: ModelRuntime | Models,
): Promise<ReturnType<typeof modelsInScope>> {
  return modelsInScope(patterns, runtime instanceof Models ? runtime : runtime.registry);
}

/**
 * Whether a model is in the list itself: what is not in it can be asked for as well, under whatever
 * name.
 */
function isListed(registry: Models, provider: string | undefined, id: string): boolean {
  const wanted = provider ? `${provider}/${id}` : id;
  return registry
    .getAll()
    .some((one) => one.id === wanted || `${one.provider}/${one.id}` === wanted);
}
