import { readFileSync, statSync } from "node:fs";
import { type Static, Type } from "typebox";
import { mismatch } from "../../events/index.ts";
import type { OAuthCredentials } from "../../extensions/index.ts";
import { replaceFile } from "../../files/index.ts";
import { withFileLock } from "./file-lock.ts";

const Credential = Type.Union([
  Type.Object({ type: Type.Literal("api_key"), key: Type.String() }),
  Type.Object({
    type: Type.Literal("oauth"),
    access: Type.String(),
    refresh: Type.String(),
    expires: Type.Number(),
  }),
]);

/** An entry of auth.json, in Pi's form. */
export type StoredCredential =
  | Extract<Static<typeof Credential>, { type: "api_key" }>
  | ({ type: "oauth" } & OAuthCredentials);

/** The logins of the user: one small file that only they can read. */
export class AuthStore {
  readonly #path: string;
  #seen: { readonly stamp: string; readonly entries: Record<string, unknown> } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get(provider: string): StoredCredential | undefined {
    const entry = this.#read()[provider];
    if (entry === undefined || mismatch(Credential, entry) !== undefined) return undefined;
    // Boundary: checked against the schema in the line above; further fields are the provider's.
    return entry as StoredCredential;
  }

  names(): string[] {
    return Object.keys(this.#read()).filter((name) => this.get(name) !== undefined);
  }

  /**
   * Changes one entry: gets what is stored now, by whichever process, and stores what it is told.
   * Undefined removes the entry.
   */
  async change(
    provider: string,
    next: (stored: StoredCredential | undefined) => Promise<StoredCredential | undefined>,
  ): Promise<StoredCredential | undefined> {
    return withFileLock(this.#path, async () => {
      const before = this.get(provider);
      const after = await next(before);
      if (after !== before) this.#write({ ...this.#read(), [provider]: after });
      return after;
    });
  }

  #read(): Record<string, unknown> {
    let stamp: string;
    try {
      const { mtimeMs, size, ino } = statSync(this.#path);
      stamp = `${mtimeMs} ${size} ${ino}`;
    } catch {
      return {};
    }
    if (this.#seen?.stamp === stamp) return this.#seen.entries;
    const entries = parsed(this.#path);
    this.#seen = { stamp, entries };
    return entries;
  }

  #write(entries: Record<string, unknown>): void {
    replaceFile(this.#path, `${JSON.stringify(entries, null, 2)}\n`);
  }
}

function parsed(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    // Unreadable logins are as good as none: the user logs in again.
    return {};
  }
}
