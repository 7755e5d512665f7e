import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Static, Type } from "typebox";
import { SeamError, systemCode } from "../../errors/index.ts";
import { mismatch } from "../../events/index.ts";
import type { OAuthCredentials } from "../../extensions/index.ts";
import { type FileLock, replaceFile, tryLock } from "../../files/index.ts";
import { seamHome } from "../../settings/index.ts";

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

const RETRY_MS = 50;
/** Asking a provider for a new token takes seconds. */
const PATIENCE_MS = 60_000;

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
    const lock = await this.#lock();
    try {
      const before = this.get(provider);
      const after = await next(before);
      if (after !== before) this.#write({ ...this.#read(), [provider]: after });
      return after;
    } finally {
      lock.release();
    }
  }

  async #lock(): Promise<FileLock> {
    const path = lockOf(this.#path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
      const lock = tryLock(path);
      if (lock.isOurs) return lock;
      if (Date.now() > deadline) {
        throw new SeamError("SEAM_LOGIN_BUSY", { process: lock.pid ?? "?", path });
      }
    }
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
    const text = `${JSON.stringify(entries, null, 2)}\n`;
    try {
      replaceFile(this.#path, text);
    } catch (error) {
      // Behind the walls of a crew the file is open and its folder is not.
      if (systemCode(error) !== "EROFS") throw error;
      writeInto(this.#path, text);
    }
  }
}

/** Behind the walls of a crew only this folder of Seam's home is open. */
function lockOf(path: string): string {
  const isOwn = path === join(seamHome(), "auth.json");
  return isOwn ? join(seamHome(), "run", "auth.lock") : `${path}.lock`;
}

/** The file is never empty meanwhile: others may read it. */
function writeInto(path: string, text: string): void {
  const file = openSync(path, "r+");
  try {
    ftruncateSync(file, writeSync(file, text, 0));
  } finally {
    closeSync(file);
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
