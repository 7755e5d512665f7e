import { statSync } from "node:fs";
import { builtFile } from "../settings/index.ts";

/** The last file of a build is there once all others are. */
const PARTS = [".built", "bin/seam.js", "bin/extension-thread.js"] as const;

/** A client rings right after it connects, so a look at that moment is still true for the ring. */
const SEEN_MS = 5;

/**
 * How long the daemon waits for missing files or for answers under way before it ends all the same.
 */
const PATIENCE_MS = 30_000;

/**
 * Looks whether the files this process runs from are still the ones it was started from. After an
 * update they are another version's: threads made from them would not understand this process.
 */
export class OwnFiles {
  readonly #before = printOf();
  #seen: { readonly at: number; readonly print: string | undefined } | undefined;
  #changedAt: number | undefined;

  /** Looks now, while nobody waits, so that the next request need not. */
  look(): void {
    this.#seen = { at: performance.now(), print: printOf() };
  }

  /** replaced: another version is there, complete. missing: there is none, or not all of it. */
  state(): "same" | "replaced" | "missing" {
    const isFresh = this.#seen && performance.now() - this.#seen.at < SEEN_MS;
    const now = isFresh ? this.#seen?.print : printOf();
    if (now === this.#before) {
      this.#changedAt = undefined;
      return "same";
    }
    this.#changedAt ??= Date.now();
    return now === undefined ? "missing" : "replaced";
  }

  /** Why the daemon should end, if it should. `busy`: somebody waits for an answer. */
  reasonToEnd(busy: boolean): string | undefined {
    const state = this.state();
    const forLong = Date.now() - (this.#changedAt ?? Date.now()) > PATIENCE_MS;
    if (state === "replaced" && (!busy || forLong)) return "Seam was replaced by another version";
    return state === "missing" && forLong ? "Seam's own files are gone" : undefined;
  }

  /** Throws if a new thread would run code of another version. */
  check(): void {
    if (this.state() !== "same") {
      throw new Error(
        "Seam itself is being replaced by another version, and its daemon starts anew",
      );
    }
  }
}

function printOf(): string | undefined {
  let print = "";
  for (const part of PARTS) {
    const stats = statSync(builtFile(part), { throwIfNoEntry: false });
    if (!stats) return undefined;
    print += `${stats.ino}:${stats.mtimeMs}:${stats.size} `;
  }
  return print;
}
