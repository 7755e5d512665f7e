import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderBelow } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";
import { newCheckpointId } from "../checkpoint/checkpoint-files.ts";
import type { Linked } from "../link/link.ts";
import { seamDirOf } from "../seam-dir.ts";
import { isRecorded } from "../start-and-stop.ts";

export interface Reserved {
  readonly agent: string;
  readonly session_id: string;
  readonly why: Linked["why"];
  /** The tool call that was running then. It makes the commit; later calls do not. */
  readonly call?: string;
  /** When that was, ISO; absent for sessions that did not make the commit themselves. */
  readonly time?: string;
  /** Files of the commit that are the session's; absent for the one that makes the commit. */
  readonly paths?: readonly string[];
  /** Those of them that it or another session changed. */
  readonly one_of?: readonly string[];
  /** A copy, in case the state of the session gets lost meanwhile. */
  readonly transcript_path?: string;
}

/** After this time the commit is taken to have been given up. */
const EXPIRES_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Checkpoint ids that are in a commit message and not yet written: for which sessions. Kept in
 * files, because a commit may be made long after its message, by an editor that is left open.
 */
export class Reservations {
  readonly #home: string;
  readonly #dir: string;

  constructor(seamDir: string) {
    this.#home = dirname(seamDir);
    this.#dir = join(seamDir, "reserved");
  }

  add(id: string, sessions: readonly Reserved[]): void {
    makeFolderBelow(this.#home, this.#dir);
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

  /** Drops everything that is reserved for a session. */
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
        // Another process removed it first.
      }
    }
  }
}

function isReserved(value: unknown): value is Reserved {
  if (typeof value !== "object" || value === null) return false;
  const { agent, session_id } = value as Partial<Reserved>;
  return typeof agent === "string" && typeof session_id === "string";
}

/**
 * The id of the checkpoint that a commit made by Seam itself will have, for the trailer of its
 * message. Seam knows whose work it commits; the checkpoint is written when the commit's hook
 * arrives. Undefined where nothing is recorded.
 */
export async function promiseCheckpoint(
  repo: Repo,
  session: { readonly agent: string; readonly session_id: string },
): Promise<string | undefined> {
  if (!(await isRecorded(repo))) return undefined;
  const id = newCheckpointId();
  new Reservations(seamDirOf(repo)).add(id, [{ ...session, why: "process" }]);
  return id;
}
