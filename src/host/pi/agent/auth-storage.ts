import { join } from "node:path";
import type { OAuthLoginCallbacks } from "../../../extensions/index.ts";
import { readRegularText, replaceFile, SMALL_FILE } from "../../../files/index.ts";
import { seamHome } from "../../../settings/index.ts";
import { isRecord } from "../../../values/index.ts";
import { Models } from "../../models/index.ts";

type Credential = { type: string } & Record<string, unknown>;
type Locked<T> = { result: T; next?: string };

/** Where logins are: the text is given to a function, and what it returns as `next` is kept. */
interface Backend {
  withLock<T>(change: (current: string | undefined) => Locked<T>): T;
  withLockAsync<T>(change: (current: string | undefined) => Promise<Locked<T>>): Promise<T>;
}

const authFile = () => join(seamHome(), "auth.json");

export class FileAuthStorageBackend implements Backend {
  readonly path: string;

  constructor(path: string = authFile()) {
    this.path = path;
  }

  withLock<T>(change: (current: string | undefined) => Locked<T>): T {
    const { result, next } = change(this.#text());
    if (next !== undefined) replaceFile(this.path, next);
    return result;
  }

  async withLockAsync<T>(change: (current: string | undefined) => Promise<Locked<T>>): Promise<T> {
    const { result, next } = await change(this.#text());
    if (next !== undefined) replaceFile(this.path, next);
    return result;
  }

  #text(): string | undefined {
    try {
      return readRegularText(this.path, SMALL_FILE);
    } catch {
      // Logins that cannot be read are as good as none.
      return undefined;
    }
  }
}

export class InMemoryAuthStorageBackend implements Backend {
  #text: string | undefined;

  withLock<T>(change: (current: string | undefined) => Locked<T>): T {
    const { result, next } = change(this.#text);
    this.#text = next ?? this.#text;
    return result;
  }

  async withLockAsync<T>(change: (current: string | undefined) => Promise<Locked<T>>): Promise<T> {
    const { result, next } = await change(this.#text);
    this.#text = next ?? this.#text;
    return result;
  }
}

/** Keys and logins of the user, in Pi's form: those Seam's own agent uses, unless told otherwise. */
export class AuthStorage {
  readonly #backend: Backend;
  readonly #runtimeKeys = new Map<string, string>();
  #fallback: (provider: string) => string | undefined = () => undefined;

  private constructor(backend: Backend) {
    this.#backend = backend;
  }

  static create(path?: string): AuthStorage {
    return new AuthStorage(new FileAuthStorageBackend(path));
  }
  static fromStorage(backend: Backend): AuthStorage {
    return new AuthStorage(backend);
  }
  static inMemory(data: Record<string, unknown> = {}): AuthStorage {
    const storage = new AuthStorage(new InMemoryAuthStorageBackend());
    storage.#backend.withLock(() => ({ result: undefined, next: JSON.stringify(data) }));
    return storage;
  }

  /** The file with the logins; undefined if they are kept elsewhere. */
  get file(): string | undefined {
    return this.#backend instanceof FileAuthStorageBackend ? this.#backend.path : undefined;
  }
  /** Keys that are not in the file: they count before it. */
  get extraKeys(): ReadonlyMap<string, string> {
    const stored = this.file === undefined ? Object.entries(this.getAll()) : [];
    const keys = stored.flatMap(([provider, { key }]): [string, string][] =>
      typeof key === "string" ? [[provider, key]] : [],
    );
    return new Map([...keys, ...this.#runtimeKeys]);
  }

  setRuntimeApiKey(provider: string, key: string): void {
    this.#runtimeKeys.set(provider, key);
  }
  removeRuntimeApiKey(provider: string): void {
    this.#runtimeKeys.delete(provider);
  }
  setFallbackResolver(resolver: (provider: string) => string | undefined): void {
    this.#fallback = resolver;
  }
  /** Every question reads what is there now. */
  reload(): void {}
  drainErrors = () => [] as Error[];

  getAll(): Record<string, Credential> {
    return this.#backend.withLock((text) => ({ result: parsed(text) }));
  }
  get = (provider: string) => this.getAll()[provider];
  list = () => Object.keys(this.getAll());
  has = (provider: string) => this.get(provider) !== undefined;
  hasAuth = (provider: string) => this.getAuthStatus(provider).configured;

  set(provider: string, credential: Credential): void {
    this.#change((all) => ({ ...all, [provider]: credential }));
  }
  remove(provider: string): void {
    this.#change(({ [provider]: _, ...others }) => others);
  }
  logout(provider: string): void {
    this.remove(provider);
  }

  getAuthStatus(provider: string): { configured: boolean; source?: string } {
    if (this.#runtimeKeys.has(provider)) return { configured: true, source: "runtime" };
    if (this.has(provider)) return { configured: true, source: "stored" };
    if (this.#fallback(provider) !== undefined) return { configured: true, source: "fallback" };
    const known = this.#models()
      .getAvailable()
      .some((model) => model.provider === provider);
    return known ? { configured: true, source: "environment" } : { configured: false };
  }

  async getApiKey(provider: string): Promise<string | undefined> {
    const own = this.#runtimeKeys.get(provider) ?? this.extraKeys.get(provider);
    return own ?? (await this.#models().getApiKeyForProvider(provider)) ?? this.#fallback(provider);
  }
  login(provider: string, callbacks: OAuthLoginCallbacks): Promise<void> {
    return this.#models().login(provider, callbacks);
  }
  getOAuthProviders = () =>
    this.#models()
      .loginProviders()
      .map(({ name, title }) => ({ id: name, name: title }));

  // Pi's later names for the same.
  read = async (provider: string) => this.get(provider);
  async delete(provider: string): Promise<void> {
    this.remove(provider);
  }
  async modify(
    provider: string,
    change: (current: Credential | undefined) => Promise<Credential | undefined>,
  ): Promise<Credential | undefined> {
    const next = await change(this.get(provider));
    if (next) this.set(provider, next);
    return next ?? this.get(provider);
  }

  #models(): Models {
    return new Models(this.file === undefined ? {} : { authFile: this.file });
  }

  #change(change: (all: Record<string, Credential>) => Record<string, Credential>): void {
    this.#backend.withLock((text) => ({
      result: undefined,
      next: `${JSON.stringify(change(parsed(text)), null, 2)}\n`,
    }));
  }
}

/** What is stored for a provider, without asking anybody. */
export function readStoredCredential(provider: string, path?: string): Credential | undefined {
  return AuthStorage.create(path).get(provider);
}

function parsed(text: string | undefined): Record<string, Credential> {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    entries.flatMap(([name, one]): [string, Credential][] =>
      isRecord(one) && typeof one.type === "string" ? [[name, { ...one, type: one.type }]] : [],
    ),
  );
}
