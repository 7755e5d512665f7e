import { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { SeamError } from "../../errors/index.ts";
import { EnterSchema } from "../api.ts";
import type { Entrance } from "../entrance/entrance.ts";
import type { Guard } from "../entrance/guard.ts";
import type { Hub } from "../stream/hub.ts";
import type { PageFiles } from "./page-files.ts";
import { problemOf } from "./problem.ts";
import { bodyOf, checked } from "./request.ts";

/** Answers a GET with what stands in its query. */
export type Ask = (query: Readonly<Record<string, string>>) => unknown;
/** Does what a person wants, with what the page sent. */
export type Act = (body: unknown) => unknown;

export interface AppParts {
  readonly prefix: string;
  readonly files: PageFiles;
  readonly entrance: Entrance;
  readonly guard: Guard;
  readonly hub: Hub;
  readonly asks: Readonly<Record<string, Ask>>;
  readonly acts: Readonly<Record<string, Act>>;
  readonly image: (
    query: Readonly<Record<string, string>>,
  ) => Promise<{ readonly mime: string; readonly data: Uint8Array }>;
  readonly failed: (what: string, error: unknown) => void;
}

type Env = { Bindings: HttpBindings };

/** Nothing from outside, nothing inline, nobody around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const YEAR = "public, max-age=31536000, immutable";

/** The page and everything it can ask for. */
export function makeApp(parts: AppParts): Hono<Env> {
  const { prefix, files, entrance, guard, hub, asks, acts, image, failed } = parts;
  const app = new Hono<Env>({ strict: false }).basePath(prefix);
  app.use("*", async (c, next) => {
    guard.checkPlace(incoming(c).headers);
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    c.header("cache-control", "no-store");
    await next();
  });
  app.use("/api/*", async (c, next) => {
    const { headers, method } = incoming(c);
    if (method !== "GET") guard.checkAct(headers);
    if (!c.req.path.endsWith("/api/enter")) guard.checkCookie(headers);
    await next();
  });
  app.post("/api/enter", async (c) => {
    guard.checkUser(incoming(c).socket);
    const { code } = checked(EnterSchema, await bodyOf(incoming(c)));
    const cookie = entrance.enter(code);
    if (!cookie) throw new SeamError("SEAM_VIEW_CODE");
    const { value, seconds } = cookie;
    const where = `Path=${prefix || "/"}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    c.header("set-cookie", `${entrance.cookieName}=${value}; ${where}`);
    return c.json({});
  });
  app.get("/api/stream", (c) => {
    const response = outgoing(c);
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    hub.join(response, c.req.header("last-event-id"), followed(c.req.query("follow")));
    return RESPONSE_ALREADY_SENT;
  });
  app.get("/api/image", async (c) => {
    const { mime, data } = await image(c.req.query());
    c.header("cache-control", "private, max-age=3600");
    // Whatever the transcript calls it, it is shown as a picture or not at all.
    c.header("content-security-policy", "default-src 'none'; sandbox");
    return c.body(new Uint8Array(data), 200, { "content-type": mime });
  });
  for (const [path, ask] of Object.entries(asks)) {
    app.get(`/api/${path}`, async (c) => c.json(toJson(await ask(c.req.query()))));
  }
  for (const [path, act] of Object.entries(acts)) {
    app.post(`/api/${path}`, async (c) => c.json(toJson(await act(await bodyOf(incoming(c))))));
  }
  app.all("/api/*", () => {
    throw new SeamError("SEAM_VIEW_REQUEST", { detail: "there is nothing of that name" });
  });
  app.get("/assets/:name", (c) => {
    const file = files.asset(c.req.param("name"));
    if (!file) return c.text("There is nothing here.\n", 404);
    const isGzip =
      file.gzip !== undefined && /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
    c.header("content-type", file.mime);
    c.header("cache-control", YEAR);
    c.header("vary", "accept-encoding");
    if (isGzip) c.header("content-encoding", "gzip");
    return c.body(new Uint8Array((isGzip && file.gzip) || file.bytes));
  });
  // What is shown is in the address: every path is the page.
  app.get("*", (c) => c.html(files.document(prefix)));
  app.onError((error, c) => {
    const { status, problem } = problemOf(error);
    if (status >= 500) failed(`${c.req.method} ${c.req.path}`, error);
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    // What was not read to its end would be taken for the next request.
    if (!incoming(c).complete) c.header("connection", "close");
    return c.json(problem, status);
  });
  app.notFound((c) => c.text("There is nothing here.\n", 404));
  return app;
}

/** The server speaks HTTP/1 and nothing else. */
function incoming({ env }: Context<Env>): IncomingMessage {
  if (env.incoming instanceof IncomingMessage) return env.incoming;
  throw new SeamError("SEAM_VIEW_REQUEST", { detail: "it is not HTTP/1" });
}

function outgoing({ env }: Context<Env>): ServerResponse {
  if (env.outgoing instanceof ServerResponse) return env.outgoing;
  throw new SeamError("SEAM_VIEW_REQUEST", { detail: "it is not HTTP/1" });
}

/** Both parts of "agent/session" may be escaped: ids can hold a slash. */
function followed(follow: string | undefined): string | undefined {
  try {
    return follow?.split("/").map(decodeURIComponent).join("/");
  } catch {
    return follow;
  }
}

const toJson = (value: unknown): object =>
  typeof value === "object" && value !== null ? value : {};
