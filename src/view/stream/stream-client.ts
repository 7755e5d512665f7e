import type { ServerResponse } from "node:http";

/** What may wait for one page in memory. A page that reads slower than that is told to reload. */
const MOST_WAITING = 256 * 1024;
/** A page that has taken nothing for so long is gone, or hangs: it comes back by itself if not. */
const STUCK_MS = 60_000;

/** One page that listens. Costs a bounded amount of memory, whatever it does. */
export class StreamClient {
  readonly #response: ServerResponse;
  /** "agent/session" of the session it shows, whose hooks it wants to hear of. */
  readonly follows: string | undefined;
  #isBehind = false;
  #stuckSince: number | undefined;

  constructor(response: ServerResponse, follows: string | undefined) {
    this.#response = response;
    this.follows = follows;
    response.on("drain", () => {
      this.#stuckSince = undefined;
    });
  }

  /** `reload` is sent instead of what was lost, once there is room again. */
  send(message: Buffer, reload: () => Buffer): void {
    if (this.#response.writableLength > MOST_WAITING) {
      this.#isBehind = true;
      this.#stuckSince ??= Date.now();
      return;
    }
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#response.write(reload());
      return;
    }
    this.#response.write(message);
  }

  /** Keeps proxies and browsers from giving up, and notices who is gone. */
  beat(reload: () => Buffer): void {
    if (this.#stuckSince !== undefined && Date.now() - this.#stuckSince > STUCK_MS) {
      this.#response.destroy();
    } else {
      this.send(BEAT, reload);
    }
  }

  end(): void {
    this.#response.end();
  }
}

const BEAT = Buffer.from(": still here\n\n");
