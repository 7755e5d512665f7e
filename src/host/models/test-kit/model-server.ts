import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Respond = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** The next requests are answered by these, in order; the last one by itself from then on. */
  answer(...responds: Respond[]): void;
}

/** A real HTTP server that stands for a provider. */
export async function startModelServer(...first: Respond[]): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  let queue = first;
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const chunk of incoming) text += chunk;
    const { url = "", headers } = incoming;
    const request = { url, headers, body: JSON.parse(text || "{}") };
    requests.push(request);
    const respond = queue.length > 1 ? queue.shift() : queue[0];
    await respond?.(response, request);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    answer: (...responds) => {
      queue = responds;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Events of a stream as they stand on the wire. */
export function wire(events: readonly unknown[]): string {
  return events
    .map((event) => {
      if (typeof event === "string") return `data: ${event}\n\n`;
      const type = typeOf(event);
      return `${type ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
}

function typeOf(event: unknown): string | undefined {
  if (typeof event !== "object" || event === null || !("type" in event)) return undefined;
  return typeof event.type === "string" ? event.type : undefined;
}

export function sse(events: readonly unknown[], headers: Record<string, string> = {}): Respond {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    response.end(wire(events));
  };
}

/** Sends the beginning, then the connection breaks. */
export function cutAfter(events: readonly unknown[]): Respond {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(wire(events), () => setTimeout(() => response.destroy(), 20));
  };
}

/** Sends the beginning, and then nothing more. */
export function silentAfter(events: readonly unknown[]): Respond {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(wire(events));
  };
}

export function refuse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Respond {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}
