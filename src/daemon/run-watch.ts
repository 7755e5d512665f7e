import { type BigIntStats, lstatSync } from "node:fs";
import type { DaemonPaths } from "./daemon-paths.ts";
import type { Log } from "./log.ts";
import type { Unavailable } from "./unavailable.ts";

/**
 * Looks after what clients rely on while the daemon runs: what they answer without it, and that the
 * socket they call is its own. Looking costs a few file times.
 */
export class RunWatch {
  readonly #paths: DaemonPaths;
  readonly #log: Log;
  readonly #unavailable: Unavailable;
  #socket: string | undefined;

  constructor(paths: DaemonPaths, log: Log, unavailable: Unavailable) {
    this.#paths = paths;
    this.#log = log;
    this.#unavailable = unavailable;
  }

  /** Notes that this daemon's socket is there now. */
  start(): void {
    this.#socket = printOf(this.#paths.socket);
  }

  /** Whether another process listens on the socket. A missing socket belongs to nobody. */
  get isSocketTaken(): boolean {
    const now = printOf(this.#paths.socket);
    return now !== undefined && now !== this.#socket;
  }

  look(): void {
    try {
      const restored = this.#unavailable.restore();
      if (restored.length === 0) return;
      this.#log.warn(
        `what hooks answer without a daemon was changed or removed; written again: ${restored.join(", ")}`,
      );
    } catch (error) {
      this.#log.failed("what hooks answer without a daemon could not be put right", error);
    }
  }
}

function printOf(path: string): string | undefined {
  const stats: BigIntStats | undefined = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}
