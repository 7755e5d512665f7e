import { statSync } from "node:fs";
import { builtFile } from "../settings/index.ts";

/** The last file of a build is there once all others are. */
const PARTS = [".built", "bin/seam.js", "bin/extension-thread.js"] as const;

/** So long the files may be missing, or answers be under way, before the daemon ends all the same. */
const PATIENCE_MS = 30_000;

/**
 * Looks whether the files this process runs from are still the ones it was started from. After an
 * update they are another version's: threads made from them would not understand this process.
 */
export class OwnFiles {
  readonly #before = printOf();
  #changedAt: number | undefined;

  /** replaced: another version is there, complete. missing: there is none, or not all of it. */
  state(): "same" | "replaced" | "missing" {
    const now = printOf();
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

  /** Throws if a thread made from them could not be trusted to fit. */
  check(): void {
    if (this.state() !== "same") {
      throw new Error(
        "Seam itself is being replaced by another version, and its daemon starts anew",
      );
    }
  }
}

function printOf(): string | undefined {
  const stats = PARTS.map((part) => statSync(builtFile(part), { throwIfNoEntry: false }));
  if (stats.includes(undefined)) return undefined;
  return stats.map((one) => `${one?.ino}:${one?.mtimeMs}:${one?.size}`).join(" ");
}
