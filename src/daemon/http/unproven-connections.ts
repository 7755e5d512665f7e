import type { Socket } from "node:net";

/**
 * The connections that have not shown the token yet. There are only so many: one more, and the one
 * that has been silent longest is closed. So whoever holds connections open keeps nobody out who
 * says at once what they want, as all clients of Seam's do.
 */
export class UnprovenConnections {
  readonly #most: number;
  readonly #sockets = new Set<Socket>();

  constructor(most: number) {
    this.#most = most;
  }

  arrived(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    if (this.#sockets.size <= this.#most) return;
    const [oldest] = this.#sockets;
    if (oldest) this.#sockets.delete(oldest);
    oldest?.destroy();
  }

  /** Closes all of them. A client of Seam's that has not said anything yet calls the next daemon. */
  dismiss(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Takes a connection off the list, because it has shown the token. */
  known(socket: Socket): void {
    this.#sockets.delete(socket);
  }
}
