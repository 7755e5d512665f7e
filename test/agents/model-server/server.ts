import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { parse } from "./json.ts";
import { Play, type SeenRequest } from "./play.ts";
import { responses } from "./responses.ts";
import type { Script } from "./script.ts";
import { sideAnswer } from "./side-answers.ts";
import type { Wire } from "./wire.ts";

const WIRES: readonly Wire[] = [anthropic, chat, responses, gemini];

export interface ModelServer {
  readonly url: string;
  /** Hosts that programs wanted to reach with this server as their proxy. None is let through. */
  readonly refusedHosts: readonly string[];
  /** Where an agent is sent that shall hear the script of `key`. */
  urlFor(key: string): string;
  /** From now on, what comes for `key` is answered from this script. */
  play(key: string, script: Script): Play;
  close(): Promise<void>;
}

/** Plays the model for any number of agents at once; each has its own address below /to/. */
export async function startModelServer(): Promise<ModelServer> {
  const plays = new Map<string, Play>();
  const refusedHosts: string[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response, plays).catch((error: unknown) => {
      // An agent would only say that the model is not there.
      process.stderr.write(`model server: ${String(error)}\n`);
      response.destroy();
    });
  });
  server.on("connect", ({ url }, socket) => {
    refusedHosts.push(url ?? "");
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // A test file that is through with its tests is not held back by it.
  server.unref();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    refusedHosts,
    urlFor: (key) => `${url}/to/${key}`,
    play(key, script) {
      const play = new Play(script);
      plays.set(key, play);
      return play;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  plays: ReadonlyMap<string, Play>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = parse(Buffer.concat(chunks).toString("utf8"));
  const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
  const [, key = "", path = ""] = /^\/to\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
  const play = plays.get(key);
  if (!play) {
    sendJson(response, 404, { error: { message: `Nobody plays for ${pathname}.` } });
    return;
  }
  const wire = WIRES.find((each) => each.matches(path));
  if (!wire || incoming.method !== "POST") {
    const harmless = sideAnswer(path);
    play.probes.push(`${incoming.method} ${path}`);
    sendJson(response, harmless === undefined ? 404 : 200, harmless ?? { error: "unknown" });
    return;
  }
  const asked = wire.read(path, body);
  const turn = play.next(seen(wire, path, body, asked));
  if (turn.waitMs !== undefined) await sleep(turn.waitMs);
  if (turn.error) {
    sendJson(response, turn.error.status, wire.failure(turn.error.status, turn.error.message));
  } else if (asked.stream) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    for (const { event, data } of wire.events(turn, asked)) {
      const line = typeof data === "string" ? data : JSON.stringify(data);
      response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${line}\n\n`);
    }
    response.end();
  } else {
    sendJson(response, 200, wire.answer(turn, asked));
  }
}

function seen(
  wire: Wire,
  path: string,
  body: unknown,
  asked: ReturnType<Wire["read"]>,
): Omit<SeenRequest, "kind" | "subagent"> {
  return { api: wire.api, path, body, ...asked };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
