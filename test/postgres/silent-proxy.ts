import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * Stands between one machine and the database. When it is silent, it takes what it is sent, answers
 * nothing and closes nothing: what a cable that was pulled, or a router that forgot, looks like.
 */
export class SilentProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async before(url: string): Promise<{ proxy: SilentProxy; url: string }> {
    const { hostname, port } = new URL(url);
    const server = createServer((near) => proxy.#join(near, connect(Number(port), hostname)));
    const proxy = new SilentProxy(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const through = new URL(url);
    through.port = String(typeof address === "object" && address !== null ? address.port : 0);
    return { proxy, url: through.href };
  }

  silence(): void {
    this.#isSilent = true;
  }

  /** New connections get through. Those from before stay silent, and nobody tells either end. */
  heal(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.removeAllListeners("data").resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket, far: Socket): void {
    const pass = (from: Socket, to: Socket) => {
      this.#sockets.add(from);
      from.on("data", (data) => {
        if (!this.#isSilent) to.write(data);
      });
      from.on("close", () => {
        this.#sockets.delete(from);
        if (!this.#isSilent) to.destroy();
      });
      from.on("error", () => {});
    };
    pass(near, far);
    pass(far, near);
  }
}
