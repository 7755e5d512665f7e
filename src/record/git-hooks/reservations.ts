import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Linked } from "../link/link.ts";

interface Reserved {
  readonly agent: string;
  readonly session_id: string;
  readonly why: Linked["why"];
}

/** A commit is made soon after its message; after this time it was given up. */
const EXPIRES_MS = 24 * 60 * 60 * 1000;

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

  get(id: string): readonly Reserved[] {
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(this.#dir, id), "utf8"));
      return Array.isArray(parsed) ? (parsed as Reserved[]) : [];
    } catch {
      return [];
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
