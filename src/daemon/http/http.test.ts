import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { type TestPlace, testDaemon, testPlace, until } from "../test-kit/setup.ts";

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Way = { socketPath: string } | { host: string; port: number };

function ask(way: Way, { method = "GET", path = "/v1/status", headers = {}, body }: Asked) {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      const asked = request({ ...way, method, path, headers, agent: false }, (response) => {
        let text = "";
        response.on("data", (data) => {
          text += data;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
        );
      });
      asked.on("error", reject);
      asked.end(body);
    },
  );
}

async function setUp() {
  const place = testPlace();
  const daemon = await testDaemon(place);
  const ways: readonly Way[] = [
    { socketPath: place.socket },
    { host: "127.0.0.1", port: daemon.port },
  ];
  const token = readFileSync(place.token, "utf8");
  return { place, daemon, ways, token };
}

it("lets nobody in without the token, on the socket and on the port, and says so in the log", async () => {
  const { place, ways, token } = await setUp();
  const wrong: Record<string, string>[] = [
    {},
    { "x-seam-token": "" },
    { "x-seam-token": token.slice(0, -1) },
    { "x-seam-token": `${token}0` },
    { "x-seam-token": "0".repeat(64) },
    { authorization: `Basic ${token}` },
  ];
  for (const way of ways) {
    for (const headers of wrong) {
      for (const [method, path] of [
        ["GET", "/v1/status"],
        ["POST", "/v1/hook?agent=aider&hook=raw"],
        ["POST", "/v1/stop"],
        ["GET", "/v1/events"],
        ["GET", "/"],
      ] as const) {
        expect((await ask(way, { method, path, headers })).status).toBe(401);
      }
    }
    expect((await ask(way, { headers: { "x-seam-token": token } })).status).toBe(200);
    expect((await ask(way, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  }
  expect(place.logged()).toMatch(/refused GET \/v1\/status from .*: no token/);
  expect(place.logged()).not.toContain(token);
});

it("does not let a web page in, even if it had the token", async () => {
  const { ways, token } = await setUp();
  const headers = { "x-seam-token": token };
  for (const way of ways) {
    const page = { ...headers, origin: "http://127.0.0.1:3000" };
    expect((await ask(way, { headers: page })).status).toBe(403);
    expect((await ask(way, { headers: { ...headers, host: "evil.example" } })).status).toBe(403);
    const options = await ask(way, { method: "OPTIONS", headers: page });
    expect(options.status).toBe(403);
    expect(options.headers["access-control-allow-origin"]).toBeUndefined();
  }
});

it("keeps other users out by the rights of its files", async () => {
  const { place } = await setUp();
  const mode = (path: string) => statSync(path).mode & 0o777;
  expect(mode(place.run)).toBe(0o700);
  for (const path of [place.socket, place.token, place.curl, place.log, place.pid, place.cursor]) {
    expect([path, mode(path)]).toEqual([path, 0o600]);
  }
});

it.runIf(process.getuid?.() === 0)("lets no other user in, even if its home is open", async () => {
  const { place, daemon } = await setUp();
  for (const folder of [dirname(place.home), place.home]) chmodSync(folder, 0o755);
  const as = (script: string) =>
    spawnSync(process.execPath, ["-e", script], { uid: 65534, gid: 65534, encoding: "utf8" });
  const token = JSON.stringify(place.token);
  expect(as(`require("fs").readFileSync(${token})`).stderr).toContain("EACCES");
  const connect = (where: string) =>
    `require("net").connect(${where}).on("error", (e) => console.log(e.code)).on("connect", () => { console.log("in"); process.exit(); })`;
  expect(as(connect(JSON.stringify(place.socket))).stdout).toBe("EACCES\n");
  // The port is open to all, and of no use without the token.
  const ask = `fetch("http://127.0.0.1:${daemon.port}/v1/status").then((r) => console.log(r.status))`;
  const child = spawn(process.execPath, ["-e", ask], { uid: 65534, gid: 65534 });
  const [answer] = await once(child.stdout, "data");
  expect(String(answer)).toBe("401\n");
});

it("answers a hook that brings its payload, once for each id", async () => {
  const { daemon, ways, token, place } = await setUp();
  const [way] = ways;
  if (!way) return;
  const headers = { "x-seam-token": token, "x-seam-cwd": "/x y" };
  const body = JSON.stringify({ session: "s", raw: "hello" });
  const path = "/v1/hook?agent=aider&hook=raw&pid=5&id=abc";
  for (const _ of [1, 2]) {
    const answer = await ask(way, { method: "POST", path, headers, body });
    expect(answer).toMatchObject({ status: 200, text: "hello" });
    expect(answer.headers["x-seam-exit"]).toBe("0");
  }
  await until(() => daemon.recorder.records.length > 0);
  expect(daemon.recorder.records).toMatchObject([
    { id: "abc", agent: "aider", hook: "raw", pid: 5, cwd: "/x y" },
  ]);
  expect((await ask(way, { method: "POST", path: "/v1/hook", headers, body })).status).toBe(400);
  for (const name of ["..%2f..%2ftoken", "nothing", "%E0%A4%A", "a~b~1~2~0"]) {
    const ring = { method: "POST", path: `/v1/ring/${name}`, headers };
    expect((await ask(way, ring)).status).toBeGreaterThanOrEqual(400);
  }
  expect((await ask(way, { path: "/v1/nothing", headers })).status).toBe(404);
  expect((await status(place)).status).toBe(200);
});

function status(place: TestPlace) {
  const headers = { "x-seam-token": readFileSync(place.token, "utf8") };
  return ask({ socketPath: place.socket }, { headers });
}

it("knows a hook again that the daemon before had taken", async () => {
  const { place, daemon, token } = await setUp();
  const headers = { "x-seam-token": token };
  const body = JSON.stringify({ session: "s", raw: "x" });
  const send = (id: string) => {
    const path = `/v1/hook?agent=aider&hook=raw&id=${id}`;
    return ask({ socketPath: place.socket }, { method: "POST", path, headers, body });
  };
  await send("one");
  await until(() => daemon.recorder.records.length === 1);
  await daemon.stop();
  const next = await testDaemon(place);
  expect((await send("one")).text).toBe("x");
  await send("two");
  await until(() => next.recorder.records.length > 0);
  expect(next.recorder.records.map(({ id, seq }) => [id, seq])).toEqual([["two", 2]]);
});
