import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { messageOf, SeamError } from "../../errors/index.ts";

/** A browser sends its headers at once. */
const HEADERS_MS = 3_000;
/** How often connections are looked for that say nothing. */
const LOOK_MS = 1_000;
const MOST_CONNECTIONS = 500;
const LOOPBACK = "127.0.0.1";

/** The page's own port on the loopback interface. */
export class ViewServer {
  readonly #server: Server;

  constructor(fetch: Parameters<typeof getRequestListener>[0]) {
    const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
    this.#server = createServer(
      { headersTimeout: HEADERS_MS, requestTimeout: 0, connectionsCheckingInterval: LOOK_MS },
      listener,
    );
    this.#server.maxConnections = MOST_CONNECTIONS;
    this.#server.on("clientError", (_, socket) => socket.destroy());
  }

  /** The port it is on now. `wanted` has to be free; `before` is taken if it is. */
  async listen({ wanted, before }: { wanted?: number; before?: number }): Promise<number> {
    if (wanted !== undefined) {
      await this.#listenOn(wanted).catch((error: unknown) => {
        throw new SeamError("SEAM_VIEW_PORT", { port: wanted, detail: messageOf(error) });
      });
    } else {
      await this.#listenOn(before ?? 0).catch(() => this.#listenOn(0));
    }
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  #listenOn(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, LOOPBACK, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
