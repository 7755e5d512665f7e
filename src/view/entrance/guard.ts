import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { SeamError } from "../../errors/index.ts";
import type { Entrance } from "./entrance.ts";
import { peerUser } from "./peer-user.ts";

/** Where ssh forwards to is a port of the user's own choice, so only the name counts. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Root could read everything anyway. */
const ROOT = 0;

/** The checks that every request has to pass before anything is read for it. */
export class Guard {
  readonly #entrance: Entrance;
  readonly #hosts: () => readonly string[];

  /** `hosts`: names of this machine that the user's settings allow. */
  constructor(entrance: Entrance, hosts: () => readonly string[]) {
    this.#entrance = entrance;
    this.#hosts = hosts;
  }

  /**
   * Throws at a request under another name than this machine's: a page from elsewhere can make its
   * own name lead here, and the browser would take that page for ours.
   */
  checkPlace({ host = "", origin, "sec-fetch-site": site }: IncomingHttpHeaders): void {
    if (!this.#isOwn(host)) throw elsewhere(`it was meant for ${host || "no host"}`);
    if (origin !== undefined && !this.#isFrom(origin, host)) {
      throw elsewhere(`${origin} has no business here`);
    }
    if (site === "cross-site" && origin !== undefined) throw elsewhere("another site sent it");
  }

  /** A change is only made for the page itself, and a browser always says where a POST is from. */
  checkAct({
    origin,
    "sec-fetch-site": site,
    "content-type": type = "",
  }: IncomingHttpHeaders): void {
    if (origin === undefined) throw elsewhere("it does not say where it comes from");
    if (site !== undefined && site !== "same-origin") throw elsewhere("another page sent it");
    if (!/^application\/json\b/i.test(type)) {
      throw new SeamError("SEAM_VIEW_REQUEST", { detail: "it is not JSON" });
    }
  }

  /** A code is for the user who asked for it. A proxy, which the settings name, may be another's. */
  checkUser(socket: Socket): void {
    const own = process.getuid?.();
    if (own === undefined || this.#hosts().length > 0) return;
    const user = peerUser(socket);
    if (user !== undefined && user !== own && user !== ROOT)
      throw elsewhere("another user sent it");
  }

  /** Throws at a browser that was not let in. */
  checkCookie({ cookie = "", "sec-fetch-site": site }: IncomingHttpHeaders): void {
    // An address that is typed in or bookmarked comes from nowhere; a link on another page does not.
    if (site !== undefined && site !== "same-origin" && site !== "none") {
      throw elsewhere("another page asked for it");
    }
    const name = `${this.#entrance.cookieName}=`;
    const values = cookie.split(/;\s*/).filter((part) => part.startsWith(name));
    if (!values.some((part) => this.#entrance.isKnown(part.slice(name.length)))) {
      throw new SeamError("SEAM_VIEW_CLOSED");
    }
  }

  #isOwn(host: string): boolean {
    return LOCAL.test(host) || this.#hosts().some((one) => isHost(one, host));
  }

  #isFrom(origin: string, host: string): boolean {
    const from = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
    if (from === undefined) return false;
    // A proxy may ask under a name of this machine on behalf of the one that the user allowed.
    return (
      from.toLowerCase() === host.toLowerCase() || this.#hosts().some((one) => isHost(one, from))
    );
  }
}

/** A name without a port stands for all ports. */
function isHost(allowed: string, host: string): boolean {
  const [wanted, given] = [allowed.toLowerCase(), host.toLowerCase()];
  return given === wanted || given.replace(/:\d+$/, "") === wanted;
}

const elsewhere = (detail: string) => new SeamError("SEAM_VIEW_ORIGIN", { detail });
