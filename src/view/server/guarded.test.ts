import { describe, expect, it } from "vitest";
import { testPlace } from "../../daemon/test-kit/setup.ts";
import type { Problem } from "../api.ts";
import { address, codeIn, enter, send, viewDaemon } from "../test-kit/page.ts";

const codeOf = (answer: { json<T>(): T }) => answer.json<Problem>().error.code;

async function setUp() {
  const daemon = await viewDaemon();
  const page = await enter(daemon.paths);
  const { port, cookie, origin } = page;
  const json = { "content-type": "application/json" };
  return { daemon, page, port, cookie, origin, json };
}

describe("the entrance", () => {
  it("answers nobody without a cookie, and with one that was made up", async () => {
    const { port } = await setUp();
    for (const path of [
      "now",
      "stream",
      "entries?agent=a&session=b",
      "image",
      "doctor",
      "nothing",
    ]) {
      const answer = await send(port, `/api/${path}`);
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 401, "SEAM_VIEW_CLOSED"]);
      const guessed = await send(port, `/api/${path}`, { headers: { cookie: "seam_0=x" } });
      expect(guessed.status).toBe(401);
    }
  });

  it("takes a code once, and no wrong one", async () => {
    const { daemon, port, origin, json } = await setUp();
    const url = await address(daemon.paths);
    const go = (code: unknown) =>
      send(port, "/api/enter", {
        method: "POST",
        headers: { ...json, origin },
        body: JSON.stringify({ code }),
      });
    expect(codeOf(await go("wrong"))).toBe("SEAM_VIEW_CODE");
    const entered = await go(codeIn(url));
    expect(entered.status).toBe(200);
    expect(entered.headers["set-cookie"]?.[0]).toMatch(
      /^seam_[0-9a-f]{12}=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict$/,
    );
    const again = await go(codeIn(url));
    expect([again.status, codeOf(again)]).toEqual([403, "SEAM_VIEW_CODE"]);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect((await go(7)).status).toBe(400);
  });

  it("shows the page itself to everybody on the machine: there is nothing in it", async () => {
    const { port } = await setUp();
    const page = await send(port, "/session/claude-code/1");
    expect(page.status).toBe(200);
    expect(page.text).toContain('<base href="/"');
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
    expect(page.headers["referrer-policy"]).toBe("no-referrer");
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(Object.keys(page.headers).filter((name) => name.includes("allow-origin"))).toEqual([]);
  });

  it("knows the browser again after the daemon was started anew, on the same port", async () => {
    const place = testPlace();
    const first = await viewDaemon(place);
    const { port, cookie } = await enter(place);
    await first.stop();
    await viewDaemon(place);
    const answer = await send(port, "/api/now", { headers: { cookie } });
    expect(answer.status).toBe(200);
  });
});

describe("requests from elsewhere", () => {
  it.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example"])(
    "under the name %j are refused, also with the cookie",
    async (host) => {
      const { port, cookie } = await setUp();
      for (const path of ["/", "/api/now", "/assets/icon.svg"]) {
        const answer = await send(port, path, { headers: { host, cookie } });
        expect([path, answer.status]).toEqual([path, 403]);
      }
    },
  );

  it("with a foreign origin are refused, also to read", async () => {
    const { port, cookie, json } = await setUp();
    for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1", "file://"]) {
      const read = await send(port, "/api/now", { headers: { cookie, origin } });
      expect([origin, read.status]).toEqual([origin, 403]);
      const headers = { ...json, cookie, origin };
      const act = await send(port, "/api/answer", { method: "POST", headers, body: "{}" });
      expect([origin, act.status]).toEqual([origin, 403]);
    }
  });

  it("that a browser marks as another site's are refused", async () => {
    const { port, cookie, origin, json } = await setUp();
    for (const site of ["cross-site", "same-site"]) {
      const headers = { cookie, "sec-fetch-site": site };
      expect((await send(port, "/api/now", { headers })).status).toBe(403);
      const act = { method: "POST", headers: { ...headers, ...json, origin }, body: "{}" };
      expect((await send(port, "/api/hold", act)).status).toBe(403);
    }
    const own = { cookie, "sec-fetch-site": "same-origin" };
    expect((await send(port, "/api/now", { headers: own })).status).toBe(200);
  });

  it("that change something need an origin and JSON: a form has neither", async () => {
    const { port, cookie, origin } = await setUp();
    const body = '{"agent":"a","session":"b"}';
    const none = { cookie, "content-type": "application/json" };
    expect((await send(port, "/api/hold", { method: "POST", headers: none, body })).status).toBe(
      403,
    );
    const form = { cookie, origin, "content-type": "text/plain" };
    const refused = await send(port, "/api/hold", { method: "POST", headers: form, body });
    expect([refused.status, codeOf(refused)]).toEqual([400, "SEAM_VIEW_REQUEST"]);
    const preflight = { cookie, origin: "http://evil.example" };
    const asked = await send(port, "/api/hold", { method: "OPTIONS", headers: preflight });
    expect(asked.status).toBe(403);
  });

  it("through a port that ssh forwards, or under localhost, are the user's own", async () => {
    const { port, cookie } = await setUp();
    for (const host of ["localhost:9999", "127.0.0.1:12345", "[::1]:80", "localhost"]) {
      const headers = { host, cookie, origin: `http://${host}` };
      expect([host, (await send(port, "/api/now", { headers })).status]).toEqual([host, 200]);
    }
  });

  it("under a name that the settings allow are taken, and with that origin through a proxy", async () => {
    const { daemon, port, cookie } = await setUp();
    daemon.paths.write({ "settings.json": '{ "view": { "hosts": ["box.example.org"] } }' });
    const ask = async (host: string, origin: string) =>
      (await send(port, "/api/now", { headers: { host, cookie, origin } })).status;
    expect(await ask("box.example.org:8443", "https://box.example.org:8443")).toBe(200);
    expect(await ask("127.0.0.1:1", "https://box.example.org")).toBe(200);
    expect(await ask("box.example.org", "https://evil.example")).toBe(403);
    expect(await ask("ox.example.org", "https://ox.example.org")).toBe(403);
  });
});

describe("requests that make no sense", () => {
  it.each([
    "/assets/../../../../etc/passwd",
    "/assets/..%2f..%2f..%2fetc%2fpasswd",
    "/assets/%2e%2e/index.html",
    "/assets//etc/passwd",
    "/assets/.%00.svg",
    "/..;/etc/passwd",
  ])("%s leads to no file", async (path) => {
    const { port } = await setUp();
    const answer = await send(port, path);
    expect(answer.text).not.toContain("root:");
    expect(answer.status === 404 || answer.text.includes("<base")).toBe(true);
  });

  it("are answered with what is wrong: too large, no JSON, another shape, nothing of that name", async () => {
    const { page, port, cookie, origin, json } = await setUp();
    const headers = { ...json, cookie, origin };
    const post = (body: string | Buffer) =>
      send(port, "/api/say", { method: "POST", headers, body });
    const large = await post(Buffer.alloc(3 * 1024 * 1024, 0x20));
    expect([large.status, codeOf(large)]).toEqual([413, "SEAM_VIEW_LARGE"]);
    expect(codeOf(await post("{"))).toBe("SEAM_VIEW_REQUEST");
    expect(codeOf(await post('{"agent":"a"}'))).toBe("SEAM_VIEW_REQUEST");
    expect(codeOf(await post('{"agent":"a","session":"s","text":"t","more":1}'))).toBe(
      "SEAM_VIEW_REQUEST",
    );
    expect((await page.get("api/nothing")).status).toBe(400);
    expect((await page.get("api/entries?agent=a")).status).toBe(400);
    expect((await page.get("api/entries?agent=a&session=b&before=x")).status).toBe(400);
    expect((await page.get("api/session?agent=nobody&session=b")).status).toBe(404);
  });
});

describe("under a path", () => {
  it("everything is there, and nothing elsewhere", async () => {
    const daemon = await viewDaemon();
    const page = await enter(daemon.paths, { prefix: "/tools/seam" });
    expect((await page.get("api/now")).status).toBe(200);
    const shown = await send(page.port, "/tools/seam/history");
    expect(shown.text).toContain('<base href="/tools/seam/"');
    const [asset = ""] = /assets\/main-\w+\.js/.exec(shown.text) ?? [];
    expect((await send(page.port, `/tools/seam/${asset}`)).status).toBe(200);
    expect((await send(page.port, "/")).status).toBe(404);
    expect((await send(page.port, "/api/now", { headers: { cookie: page.cookie } })).status).toBe(
      404,
    );
    const stream = await page.stream();
    const back = await enter(daemon.paths, { prefix: "" });
    expect((await back.get("api/now")).status).toBe(200);
    // Whoever had it open under the other path has it still.
    expect((await page.get("api/now")).status).toBe(200);
    expect(stream.isClosed()).toBe(false);
    stream.close();
  });

  it("and on the port that was asked for; one that is taken is said", async () => {
    const daemon = await viewDaemon();
    const first = await enter(daemon.paths);
    const other = await viewDaemon(testPlace("other"));
    await expect(enter(other.paths, { port: first.port })).rejects.toMatchObject({
      code: "SEAM_VIEW_PORT",
    });
    const own = await enter(other.paths);
    expect(own.port).not.toBe(first.port);
  });
});
