import { messageOf, SeamError } from "../../errors/index.ts";
import type { Model } from "../../events/index.ts";
import type { OAuthLoginCallbacks, RequestAuth } from "../../extensions/index.ts";
import { AuthStore } from "./auth-store.ts";
import { failureText } from "./failure-text.ts";
import { type Environment, KeyValues } from "./key-values.ts";
import { Logins } from "./logins.ts";
import type { Provider } from "./provider.ts";

interface Files {
  readonly modelsFile: string;
  readonly authFile: string;
}

/** With what right a provider is asked: a stored login, a configured key, the usual variable. */
export class ProviderAuth {
  readonly #env: Environment;
  readonly #keys: KeyValues;
  readonly #store: AuthStore;
  readonly #modelsFile: string;
  readonly #authFile: string;
  /** Keys that were handed over and are kept nowhere, by provider. */
  readonly #handed = new Map<string, string>();
  readonly logins: Logins;

  constructor(env: Environment, { modelsFile, authFile }: Files) {
    this.#env = env;
    this.#keys = new KeyValues(env);
    this.#store = new AuthStore(authFile);
    this.#modelsFile = modelsFile;
    this.#authFile = authFile;
    this.logins = new Logins(this.#store);
  }

  useKey(provider: string, key: string): void {
    this.#handed.set(provider, key);
  }

  /** Whether a request could be made, as far as can be said without running anything. */
  isConfigured({ name, key, keyVariables, oauth }: Provider): boolean {
    if (this.#handed.has(name) || this.#store.get(name)) return true;
    if (key && this.#keys.has(key)) return true;
    if (keyVariables.some((variable) => this.#env[variable])) return true;
    // A server of one's own, or a stream function: no key was ever mentioned.
    return !key && !oauth && keyVariables.length === 0;
  }

  /** Never rejects. `given` is a key the caller brought along. */
  async forRequest(
    model: Model,
    provider: Provider | undefined,
    given: string | undefined,
  ): Promise<RequestAuth> {
    try {
      const apiKey = given ?? (provider && (await this.key(provider)));
      const headers: Record<string, string> = {};
      for (const [name, source] of Object.entries(provider?.headers ?? {})) {
        headers[name] = await this.#keys.readHeader(source);
      }
      for (const [name, value] of Object.entries(model.headers ?? {})) {
        headers[name] = await this.#keys.readHeader({ value, mayRunCommands: false });
      }
      if (provider?.authHeader && apiKey) headers.Authorization = `Bearer ${apiKey}`;
      return { ok: true, ...(apiKey !== undefined && { apiKey }), headers };
    } catch (thrown) {
      return { ok: false, error: failureText(thrown) };
    }
  }

  /** Undefined where none is needed; throws where one is needed and missing. */
  async key(provider: Provider): Promise<string | undefined> {
    const { name, key, keyVariables, oauth } = provider;
    const handed = this.#handed.get(name);
    if (handed !== undefined) return handed;
    const stored = this.#store.get(name);
    if (stored?.type === "api_key") return stored.key;
    const credentials = oauth && stored ? await this.logins.fresh(name, oauth) : undefined;
    if (oauth && credentials) return oauth.getApiKey(credentials);
    const variable = keyVariables.find((one) => this.#env[one]);
    if (key && (this.#keys.has(key) || variable === undefined)) {
      return this.#keys.read(key).catch((thrown: unknown) => {
        throw this.#noKey(provider, messageOf(thrown));
      });
    }
    if (variable !== undefined) return this.#env[variable];
    if (keyVariables.length > 0 || oauth) throw this.#noKey(provider, "none is configured");
    return undefined;
  }

  /** Where the key is from that was refused: it is to be looked for there. */
  aboutKey(provider: Provider | undefined): string {
    if (!provider) return "Check the key.";
    const { name, key, keyVariables, oauth } = provider;
    const stored = this.#store.get(name);
    if (oauth && stored?.type === "oauth") {
      return `The login to ${oauth.name} was not accepted. To renew it: seam login ${name}`;
    }
    const variable = keyVariables.find((one) => this.#env[one]);
    const source = stored
      ? this.#authFile
      : key && this.#keys.has(key)
        ? (this.#keys.variableOf(key) ?? `the apiKey of "${name}"`)
        : variable;
    return source === undefined ? "No key was sent." : `The key was that of ${source}: check it.`;
  }

  async login(
    { name, oauth, keyVariables }: Provider,
    callbacks: OAuthLoginCallbacks,
  ): Promise<void> {
    if (!oauth) {
      const [variable] = keyVariables;
      const ways = [
        ...(variable === undefined ? [] : [`set ${variable}`]),
        `put an apiKey for it into ${this.#modelsFile}`,
      ];
      const hint = `Use a key: ${ways.join(", or ")}.`;
      const detail = "it offers none";
      throw new SeamError("SEAM_LOGIN", { provider: name, detail, hint });
    }
    await this.logins.login(name, oauth, callbacks);
  }

  #noKey({ name, keyVariables, oauth }: Provider, detail: string): SeamError {
    const ways = [
      ...keyVariables.slice(0, 1).map((variable) => `set ${variable}`),
      ...(oauth ? [`log in to ${oauth.name} (seam login ${name})`] : []),
      `put an apiKey for it into ${this.#modelsFile}`,
    ];
    const hint = `To use it, ${ways.join(", or ")}.`;
    return new SeamError("SEAM_MODEL_KEY", { provider: name, detail, hint });
  }
}
