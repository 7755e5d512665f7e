import { type BigIntStats, lstatSync } from "node:fs";
import type { Log } from "./log.ts";
import type { DaemonPlace } from "./place.ts";
import type { Unavailable } from "./unavailable.ts";

/**
 * Looks after what clients rely on while the daemon runs: what they answer without it, and that the
 * socket they call is its own. Looking costs a few file times.
 */
export class RunWatch {
  readonly #place: DaemonPlace;
  readonly #log: Log;
  readonly #unavailable: Unavailable;
  #socket: string | undefined;

  constructor(place: DaemonPlace, log: Log, unavailable: Unavailable) {
    this.#place = place;
    this.#log = log;
    this.#unavailable = unavailable;
  }

  /** The socket is there now, and it is this daemon's. */
  start(): void {
    this.#socket = printOf(this.#place.socket);
  }

  /** Somebody else listens where clients call; a socket that is gone is nobody's. */
  get isSocketTaken(): boolean {
    const now = printOf(this.#place.socket);
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
