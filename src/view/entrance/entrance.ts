import { createHash, randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { readText, replaceFile } from "../../files/index.ts";

/** After this time an address that nobody has opened does not work any more. */
const CODE_MS = 5 * 60_000;
/** After this a browser has to be let in again. */
const COOKIE_MS = 14 * 24 * 3_600_000;
const MOST_CODES = 20;
/** Browsers that are let in; the one that came first makes room. */
const MOST_COOKIES = 50;

const KeptSchema = Type.Object({
  /** Part of the cookie's name: browsers share cookies between the ports of a host. */
  id: Type.String({ pattern: "^[0-9a-f]{12}$" }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  cookies: Type.Array(Type.Object({ hash: Type.String(), until: Type.Number() })),
});
type Kept = Static<typeof KeptSchema>;

/**
 * Who may see the page: whoever opens an address that Seam gave out, once, and from then on the
 * browser that did. Only hashes are kept, so that reading the file lets nobody in.
 */
export class Entrance {
  readonly #path: string;
  readonly #now: () => number;
  readonly #codes = new Map<string, number>();
  #kept: Kept;

  constructor(path: string, now: () => number = Date.now) {
    this.#path = path;
    this.#now = now;
    this.#kept = keptAt(path) ?? { id: randomBytes(6).toString("hex"), cookies: [] };
  }

  get cookieName(): string {
    return `seam_${this.#kept.id}`;
  }

  /** The port of the last time: addresses in the browser's history go on working. */
  get port(): number | undefined {
    return this.#kept.port;
  }

  setPort(port: number): void {
    if (port !== this.#kept.port) this.#keep({ ...this.#kept, port });
  }

  /** Whether a browser that was let in may come back. */
  get isExpected(): boolean {
    return this.#kept.cookies.some(({ until }) => until > this.#now());
  }

  /** A code that lets one browser in. */
  newCode(): string {
    const code = randomBytes(24).toString("base64url");
    this.#codes.set(hashOf(code), this.#now() + CODE_MS);
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MOST_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** The value of the cookie, and its seconds; undefined if the code opens nothing. */
  enter(code: string): { readonly value: string; readonly seconds: number } | undefined {
    const hash = hashOf(code);
    const until = this.#codes.get(hash);
    this.#codes.delete(hash);
    if (until === undefined || until < this.#now()) return undefined;
    const value = randomBytes(32).toString("base64url");
    const cookie = { hash: hashOf(value), until: this.#now() + COOKIE_MS };
    const cookies = [...this.#kept.cookies.filter((one) => one.until > this.#now()), cookie];
    this.#keep({ ...this.#kept, cookies: cookies.slice(-MOST_COOKIES) });
    return { value, seconds: COOKIE_MS / 1_000 };
  }

  isKnown(value: string): boolean {
    const hash = hashOf(value);
    const now = this.#now();
    return this.#kept.cookies.some((one) => one.hash === hash && one.until > now);
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    replaceFile(this.#path, `${JSON.stringify(kept)}\n`);
  }
}

/** The hashes are compared, so the time that takes tells nothing about the value itself. */
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

function keptAt(path: string): Kept | undefined {
  try {
    const value: unknown = JSON.parse(readText(path) ?? "");
    return Value.Check(KeptSchema, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
