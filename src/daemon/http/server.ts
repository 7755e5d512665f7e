import { chmodSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { dirname, join } from "node:path";
import type { DescriptorBudget } from "../descriptors.ts";
import type { Log } from "../log.ts";
import { sameToken } from "../token.ts";
import type { Caller } from "./caller.ts";
import { type PlainRing, plainCaller, plainRing } from "./plain-ring.ts";
import { UnprovenConnections } from "./unproven-connections.ts";

export type Handle = (
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
) => Promise<void> | void;

/** Answers somebody who rings for a file in the spool, or with what would be in it. */
export type Ring = (
  rung: { readonly name: string; readonly cwd?: string; readonly text?: string },
  caller: Caller,
) => Promise<void>;

interface Options {
  readonly token: string;
  readonly log: Log;
  /** By method and path: "POST /v1/hook". A path that ends in "/" stands for all below it. */
  readonly routes: Readonly<Record<string, Handle>>;
  /** Answers Seam's own clients, which ring instead of sending a request. */
  readonly ring: Ring;
  /** What answers a path that is not in `routes`: the path itself, then all below its folder. */
  readonly others?: (wanted: readonly string[]) => Promise<Handle | undefined>;
  /** The server calls it when somebody connects to the socket. */
  readonly arrives?: () => void;
  /** Is called before somebody who has the token is answered. */
  readonly asked?: () => void;
  readonly budget: DescriptorBudget;
  /** How long a client may take to say what it wants. */
  readonly headersMs?: number;
}

/** A client of Seam's has its request ready before it connects. */
const HEADERS_MS = 5_000;
const LOOK_MS = 1_000;

/**
 * The daemon's server. It gives the same answers on the socket and on the loopback port to everybody
 * who has the token. Each has connections of its own: the port is open to every user of the machine,
 * the socket is not.
 */
export class DaemonServer {
  readonly #server: Server;
  readonly #alsoOnPort: Server;
  readonly #options: Options;
  readonly #strangers: readonly UnprovenConnections[];
  #refusals = 0;
  #refusalNotedAt = 0;

  constructor(options: Options) {
    this.#options = options;
    const { onSocket, onPort, strangers } = options.budget;
    const [user, anyone] = [new UnprovenConnections(onSocket), new UnprovenConnections(strangers)];
    this.#strangers = [user, anyone];
    this.#server = this.#newServer(onSocket, user);
    this.#listenForRings(this.#server, user);
    this.#alsoOnPort = this.#newServer(onPort, anyone);
    this.#alsoOnPort.on("connection", (socket: Socket) => anyone.arrived(socket));
  }

  #newServer(mostConnections: number, strangers: UnprovenConnections): Server {
    const { headersMs = HEADERS_MS } = this.#options;
    const settings = {
      headersTimeout: headersMs,
      // A gate may wait for a person: the agent, not this server, decides how long.
      requestTimeout: 0,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: Math.min(headersMs, LOOK_MS),
    };
    const server = createServer(settings, (request, response) => {
      void this.#answer(request, response, strangers);
    });
    server.maxConnections = mostConnections;
    return server;
  }

  /**
   * Looks at the first piece of what comes on the socket before Node reads it as HTTP: a ring of
   * Seam's own clients needs none of that. What it needs is the same: the token, and in time.
   */
  #listenForRings(server: Server, strangers: UnprovenConnections): void {
    const { headersMs = HEADERS_MS } = this.#options;
    const readHttp = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      this.#options.arrives?.();
      strangers.arrived(socket);
      const giveUp = () => socket.destroy();
      for (const event of ENDS) socket.once(event, giveUp);
      socket.setTimeout(headersMs);
      socket.once("data", (bytes: Buffer) => {
        socket.setTimeout(0);
        const ring = plainRing(bytes);
        if (ring && sameToken(ring.token, this.#options.token)) {
          strangers.known(socket);
          void this.#answerRing(ring, plainCaller(socket));
          return;
        }
        for (const event of ENDS) socket.off(event, giveUp);
        socket.unshift(bytes);
        for (const read of readHttp) Reflect.apply(read, server, [socket]);
      });
    });
  }

  async #answerRing(ring: PlainRing, caller: Caller): Promise<void> {
    try {
      this.#options.asked?.();
      await this.#options.ring(ring, caller);
    } catch (error) {
      this.#options.log.failed(`the answer to the ring for ${ring.name}`, error);
      caller.refuse(500, FAILED);
    }
  }

  /**
   * Takes the place of a socket that a dead daemon left. Under a name of its own first: a server
   * that closes removes the name it was given, and that may be another daemon's by then.
   */
  async listenOnSocket(path: string): Promise<void> {
    const own = join(dirname(path), `s${process.pid}`);
    rmSync(own, { force: true });
    await listening(this.#server, () => this.#server.listen(own));
    chmodSync(own, 0o600);
    renameSync(own, path);
  }

  /** The port that was used before, if it is free: what was set up with it goes on working. */
  async listenOnPort(wanted: number): Promise<number> {
    const listen = (port: number) =>
      listening(this.#alsoOnPort, () => this.#alsoOnPort.listen(port, "127.0.0.1"));
    await listen(wanted).catch(() => listen(0));
    return (this.#alsoOnPort.address() as AddressInfo).port;
  }

  /** Lets no new request in, and resolves when those under way are answered. */
  async close(): Promise<void> {
    const ends = [this.#server, this.#alsoOnPort].map(closed);
    // A server that closes gives up looking for those who are silent, and would wait for ever.
    for (const strangers of this.#strangers) strangers.dismiss();
    await Promise.all(ends);
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    strangers: UnprovenConnections,
  ): Promise<void> {
    const { log } = this.#options;
    request.on("error", () => {});
    response.on("error", () => {});
    try {
      const refused = this.#refusal(request);
      if (refused) {
        this.#noteRefusal(`refused ${describe(request)}: ${refused.why}`);
        response.setHeader("connection", "close");
        end(response, refused.status, refused.why);
        return;
      }
      strangers.known(request.socket);
      this.#options.asked?.();
      const url = new URL(request.url ?? "/", "http://seam");
      const handle = await this.#route(request.method ?? "", url.pathname);
      if (handle) await handle(request, url, response);
      else end(response, 404, "There is nothing here.");
    } catch (error) {
      log.failed(`the answer to ${describe(request)}`, error);
      if (!response.headersSent) end(response, 500, FAILED);
      else response.destroy();
    }
  }

  #refusal({ headers }: IncomingMessage): { status: number; why: string } | undefined {
    const bearer = /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1];
    const given = headers["x-seam-token"] ?? bearer;
    if (!sameToken(typeof given === "string" ? given : undefined, this.#options.token)) {
      return { status: 401, why: given === undefined ? "no token" : "wrong token" };
    }
    // A page in a browser reaches the port under a name of its own; and it always says where it is from.
    if (headers.origin !== undefined) return { status: 403, why: "it comes from a browser" };
    if (!OWN_NAMES.test(headers.host ?? "")) return { status: 403, why: "another host is meant" };
    return undefined;
  }

  /** Logs refusals together: whoever has no token must not be able to fill the log. */
  #noteRefusal(text: string): void {
    const now = Date.now();
    this.#refusals++;
    if (now - this.#refusalNotedAt < QUIET_MS) return;
    const { log } = this.#options;
    log.warn(this.#refusals > 1 ? `${text} (${this.#refusals} since the last such line)` : text);
    this.#refusals = 0;
    this.#refusalNotedAt = now;
  }

  #route(method: string, path: string): Handle | Promise<Handle | undefined> | undefined {
    const { routes, others } = this.#options;
    const wanted = `${method} ${path}`;
    const below = `${wanted.slice(0, wanted.lastIndexOf("/"))}/`;
    if (Object.hasOwn(routes, wanted)) return routes[wanted];
    return Object.hasOwn(routes, below) ? routes[below] : others?.([wanted, below]);
  }
}

const QUIET_MS = 1_000;
const FAILED = "Seam failed; its log says why.";
/** How a connection ends that nothing has come of yet. */
const ENDS = ["timeout", "end", "error"];
const OWN_NAMES = /^(seam|localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

export function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}

export function endWithJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(`${JSON.stringify(value)}\n`);
}

/** Names a request in the log, never with the token. */
function describe({ method, url, socket }: IncomingMessage): string {
  const from = socket.remoteAddress ?? "the socket";
  return `${method} ${(url ?? "").slice(0, 200)} from ${from}`;
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    listen();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // Node calls back at once if the server does not listen.
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** The port that the daemon before had, if a file says it; 0 for any. */
export function portBefore(path: string): number {
  try {
    const port = Number(readFileSync(path, "utf8"));
    return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}
