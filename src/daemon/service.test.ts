import { expect, it } from "vitest";
import { SeamError } from "../errors/index.ts";
import { askService } from "./ask-service.ts";
import { daemonStatus, sendHook } from "./connection.ts";
import { jsonRoute } from "./http/json-route.ts";
import type { LiveEvent } from "./live-events.ts";
import type { DaemonService } from "./service.ts";
import { testDaemon, testPlace, until } from "./test-kit/setup.ts";

function echo(more: Partial<DaemonService> = {}): DaemonService {
  const routes = {
    "POST /v1/echo": jsonRoute((body) => ({ body })),
    "GET /v1/echo/": jsonRoute((_, { pathname }) => ({ pathname })),
    "POST /v1/refuses": jsonRoute(() => {
      throw new SeamError("SEAM_EXT_NOT_FOUND", { path: "x.ts" });
    }),
    "POST /v1/fails": jsonRoute(() => {
      throw new Error("it broke");
    }),
  };
  return { name: "echo", routes, status: () => ({ calls: 1 }), ...more };
}

it("a service answers what is asked of it, also a question that comes while it starts", async () => {
  const place = testPlace();
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  await testDaemon(place, { services: [() => started.then(() => echo())] });
  const early = askService(place, "POST", "/v1/echo", { a: 1 });
  start();
  expect(await early).toEqual({ body: { a: 1 } });
  expect(await askService(place, "GET", "/v1/echo/x")).toEqual({ pathname: "/v1/echo/x" });
  expect((await daemonStatus(place))?.services).toMatchObject({ echo: { calls: 1 } });
});

it("what a service refuses is the same error for whoever asked, and a fault is only logged", async () => {
  const place = testPlace();
  await testDaemon(place, { services: [() => echo()] });
  await expect(askService(place, "POST", "/v1/refuses", {})).rejects.toMatchObject({
    code: "SEAM_EXT_NOT_FOUND",
    message: "There is no extension at x.ts.",
  });
  await expect(askService(place, "POST", "/v1/fails", {})).rejects.toMatchObject({
    code: "SEAM_DAEMON_REFUSED",
  });
  expect(place.logged()).toContain("it broke");
});

it("a service that cannot start, or fails over an event, leaves the others and the hooks alone", async () => {
  const place = testPlace();
  const heard: LiveEvent[] = [];
  const broken = () => {
    throw new Error("no start");
  };
  const deaf = echo({ name: "deaf", hear: () => broken() });
  const hears = echo({ name: "hears", hear: (event) => heard.push(event) });
  await testDaemon(place, { services: [broken, () => deaf, () => hears] });
  await sendHook(place, { agent: "aider", hook: "raw", pid: 1, payload: { session: "s" } });
  await until(() => heard.length === 1);
  expect(place.logged()).toContain("no start");
  expect(place.logged()).toContain("deaf could not take an event");
});
