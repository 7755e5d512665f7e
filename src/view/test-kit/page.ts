import { type IncomingHttpHeaders, request } from "node:http";
import { onTestFinished } from "vitest";
import { askService, type DaemonPaths, type ServiceSurroundings } from "../../daemon/index.ts";
import { type TestDaemon, testDaemon, testPlace, until } from "../../daemon/test-kit/setup.ts";
import type { StreamEvent } from "../api.ts";
import { OPEN_ROUTE, type OpenWish, viewService } from "../view-service.ts";
import { SseParser } from "./sse.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json<T>(): T;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A request as it is: with the host and path that are written here. */
export function send(port: number, path: string, ask: Ask = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body } = ask;
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path, method, agent: false, headers },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          const { statusCode: status = 0, headers: got } = response;
          resolve({ status, headers: got, text, json: () => JSON.parse(text) });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** An address of the page, as `seam view` gets it. */
export async function address(paths: DaemonPaths, wish: OpenWish = {}): Promise<URL> {
  const answer = await askService(paths, "POST", OPEN_ROUTE, wish);
  if (typeof answer === "object" && answer !== null && "url" in answer) {
    return new URL(String(answer.url));
  }
  throw new Error("there is no address");
}

export const codeIn = ({ hash }: URL) => hash.slice("#code=".length);

/** A browser that was let in. */
export interface TestPage {
  readonly port: number;
  readonly origin: string;
  readonly cookie: string;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  stream(query?: string, lastId?: string): Promise<TestStream>;
}

export interface TestStream {
  readonly events: readonly StreamEvent[];
  readonly lastId: () => string | undefined;
  /** Stops reading, as a page that hangs does. */
  pause(): void;
  resume(): void;
  close(): void;
  isClosed(): boolean;
}

export async function enter(paths: DaemonPaths, wish: OpenWish = {}): Promise<TestPage> {
  const url = await address(paths, wish);
  const { origin } = url;
  const port = Number(url.port);
  const base = url.pathname;
  const json = { "content-type": "application/json", origin, host: url.host };
  const entered = await send(port, `${base}api/enter`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ code: codeIn(url) }),
  });
  const [cookie = ""] = (entered.headers["set-cookie"]?.[0] ?? "").split(";");
  if (entered.status !== 200) throw new Error(entered.text);
  return {
    port,
    origin,
    cookie,
    get: (path) => send(port, base + path, { headers: { cookie } }),
    post: (path, body) =>
      send(port, base + path, {
        method: "POST",
        headers: { ...json, cookie },
        body: JSON.stringify(body),
      }),
    stream: (query = "", lastId) => openStream(port, `${base}api/stream${query}`, cookie, lastId),
  };
}

export function openStream(
  port: number,
  path: string,
  cookie: string,
  lastId?: string,
): Promise<TestStream> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, ...(lastId !== undefined && { "last-event-id": lastId }) };
    const sent = request({ host: "127.0.0.1", port, path, agent: false, headers }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`status ${response.statusCode}`));
        return;
      }
      const parser = new SseParser();
      let isClosed = false;
      response.on("data", (part: Buffer) => parser.add(part));
      response.on("close", () => {
        isClosed = true;
      });
      response.on("error", () => {});
      onTestFinished(() => void sent.destroy());
      resolve({
        events: parser.events,
        lastId: () => parser.lastId,
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        close: () => void sent.destroy(),
        isClosed: () => isClosed,
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

export interface ViewDaemon extends TestDaemon {
  readonly paths: ReturnType<typeof testPlace>;
  readonly around: ServiceSurroundings;
}

/** A daemon in this process with the page in it. */
export async function viewDaemon(paths = testPlace()): Promise<ViewDaemon> {
  let around: ServiceSurroundings | undefined;
  const daemon = await testDaemon(paths, {
    services: [
      (surroundings) => {
        around = surroundings;
        return viewService(surroundings);
      },
    ],
  });
  await until(() => around !== undefined);
  if (!around) throw new Error("the page did not start");
  return { ...daemon, paths, around };
}
