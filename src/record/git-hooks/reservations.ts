import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Linked } from "../link/link.ts";

export interface Reserved {
  readonly agent: string;
  readonly session_id: string;
  readonly why: Linked["why"];
  /** The tool call under way then: it makes the commit, and what comes after it does not. */
  readonly call?: string;
  /** When that was, ISO; absent for sessions that did not make the commit themselves. */
  readonly time?: string;
  /** In case all else that is known of the session gets lost meanwhile. */
  readonly transcript_path?: string;
}

/** A commit is made soon after its message; after this time it was given up. */
const EXPIRES_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Checkpoint ids that are in a commit message and not yet written: for which sessions. Kept in
 * files, because a commit may be made long after its message, by an editor that is left open.
 */
export class Reservations {
  readonly #dir: string;

  constructor(seamDir: string) {
    this.#dir = join(seamDir, "reserved");
  }

  add(id: string, sessions: readonly Reserved[]): void {
    mkdirSync(this.#dir, { recursive: true });
    this.#forgetOld();
    writeFileSync(join(this.#dir, id), JSON.stringify(sessions), { mode: 0o600 });
  }

  /** Undefined if the id is not reserved: then it came from elsewhere. */
  get(id: string): readonly Reserved[] | undefined {
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(this.#dir, id), "utf8"));
      return Array.isArray(parsed) ? parsed.filter(isReserved) : [];
    } catch {
      return existsSync(join(this.#dir, id)) ? [] : undefined;
    }
  }

  olderThan(ms: number): string[] {
    try {
      return readdirSync(this.#dir).filter((id) => {
        return Date.now() - statSync(join(this.#dir, id)).mtimeMs > ms;
      });
    } catch {
      return [];
    }
  }

  /** Nothing is to be written for a session any more. */
  forget(sessionId: string): void {
    for (const id of existsSync(this.#dir) ? readdirSync(this.#dir) : []) {
      const before = this.get(id) ?? [];
      const left = before.filter(({ session_id }) => session_id !== sessionId);
      if (left.length === before.length) continue;
      if (left.length > 0) this.add(id, left);
      else this.remove(id);
    }
  }

  remove(id: string): void {
    rmSync(join(this.#dir, id), { force: true });
  }

  #forgetOld(): void {
    for (const name of readdirSync(this.#dir)) {
      const path = join(this.#dir, name);
      try {
        if (Date.now() - statSync(path).mtimeMs > EXPIRES_MS) rmSync(path);
      } catch {
        // Somebody else was faster.
      }
    }
  }
}

function isReserved(value: unknown): value is Reserved {
  if (typeof value !== "object" || value === null) return false;
  const { agent, session_id } = value as Partial<Reserved>;
  return typeof agent === "string" && typeof session_id === "string";
}
