import { askService, type DaemonPaths } from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import { isRecord } from "../../values/index.ts";
import type { EntriesPage } from "../../view/index.ts";

/** Reads sessions of all agents the way the page does. */
export class PageClient {
  readonly #paths: DaemonPaths;
  #entered: { readonly base: string; readonly cookie: string } | undefined;

  constructor(paths: DaemonPaths) {
    this.#paths = paths;
  }

  /** The end of a session, or what comes after an entry. */
  async entries(agent: string, session: string, after?: string): Promise<EntriesPage> {
    const query = new URLSearchParams({ agent, session, ...(after !== undefined && { after }) });
    const ask = async () => {
      const { base, cookie } = await this.#enter();
      return fetch(`${base}/api/entries?${query}`, { headers: { cookie } });
    };
    let response = await ask().catch(() => undefined);
    if (!response || response.status === 401 || response.status === 403) {
      // There is another daemon by now, in another place, or one that does not know us yet.
      this.#entered = undefined;
      response = await ask();
    }
    const value: unknown = await response.json();
    if (!response.ok || !isPage(value)) throw refused(value);
    return value;
  }

  async #enter(): Promise<{ base: string; cookie: string }> {
    if (this.#entered) return this.#entered;
    const opened = await askService(this.#paths, "POST", "/v1/view/open", {});
    const url = new URL(isRecord(opened) ? String(opened.url) : "");
    const base = `${url.origin}${url.pathname.replace(/\/$/, "")}`;
    const response = await fetch(`${base}/api/enter`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url.origin },
      body: JSON.stringify({ code: url.hash.replace("#code=", "") }),
    });
    const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
    if (!response.ok) throw refused(await response.json());
    this.#entered = { base, cookie };
    return this.#entered;
  }
}

function isPage(value: unknown): value is EntriesPage {
  return isRecord(value) && Array.isArray(value.entries);
}

function refused(value: unknown): Error {
  const error = isRecord(value) && isRecord(value.error) ? value.error.message : undefined;
  return new SeamError("SEAM_DAEMON_REFUSED", { detail: String(error ?? "it gave no answer") });
}
