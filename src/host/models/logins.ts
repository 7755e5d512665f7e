import { messageOf, SeamError } from "../../errors/index.ts";
import type {
  OAuthCredentials,
  OAuthLoginCallbacks,
  ProviderConfig,
} from "../../extensions/index.ts";
import type { AuthStore, StoredCredential } from "./auth-store.ts";
import { notKept } from "./model-errors.ts";

type OAuth = NonNullable<ProviderConfig["oauth"]>;

type LoginListener = (provider: string, cause: string) => void;

const REFRESH_MS = 60_000;

/** Logging in to providers, and keeping the logins fresh. */
export class Logins {
  readonly #store: AuthStore;
  readonly #refreshing = new Map<string, Promise<OAuthCredentials | undefined>>();

  readonly #listeners = new Set<LoginListener>();

  constructor(store: AuthStore) {
    this.#store = store;
  }

  /** Calls the listener when a login cannot be renewed, until the function it returns is called. */
  onLost(listener: LoginListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async login(provider: string, oauth: OAuth, callbacks: OAuthLoginCallbacks): Promise<void> {
    let credentials: OAuthCredentials;
    try {
      credentials = await oauth.login(callbacks);
    } catch (thrown) {
      throw failed(provider, thrown, "Try again.");
    }
    await this.#store.change(provider, async () => ({ ...credentials, type: "oauth" }));
  }

  async logout(provider: string): Promise<void> {
    await this.#store.change(provider, async (stored) => {
      if (!stored) throw notKept(provider, this.names());
      return undefined;
    });
  }

  names(): string[] {
    return this.#store.names();
  }

  stored(provider: string): OAuthCredentials | undefined {
    const entry = this.#store.get(provider);
    return entry?.type === "oauth" ? entry : undefined;
  }

  /** Credentials that are good now. However many ask at once, one refreshes and all get the same. */
  async fresh(provider: string, oauth: OAuth): Promise<OAuthCredentials | undefined> {
    const stored = this.stored(provider);
    if (!stored || Date.now() < stored.expires) return stored;
    const running = this.#refreshing.get(provider);
    if (running) return running;
    const refresh = this.#refresh(provider, oauth).finally(() => this.#refreshing.delete(provider));
    this.#refreshing.set(provider, refresh);
    return refresh;
  }

  async #refresh(provider: string, oauth: OAuth): Promise<OAuthCredentials | undefined> {
    const after = await this.#store.change(provider, async (stored) => {
      // Another process may have been faster; its refresh made ours worthless.
      if (stored?.type !== "oauth" || Date.now() < stored.expires) return stored;
      try {
        const renewed = await oauth.refreshToken(stored, AbortSignal.timeout(REFRESH_MS));
        return { ...stored, ...renewed, type: "oauth" } satisfies StoredCredential;
      } catch (thrown) {
        for (const listener of this.#listeners) listener(provider, messageOf(thrown));
        throw failed(provider, thrown, `Log in again: seam login ${provider}`);
      }
    });
    return after?.type === "oauth" ? after : undefined;
  }
}

function failed(provider: string, thrown: unknown, hint: string) {
  const details = { provider, detail: messageOf(thrown).replace(/\.$/, ""), hint };
  return new SeamError("SEAM_LOGIN", details, { cause: thrown });
}
