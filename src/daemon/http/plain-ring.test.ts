import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, test } from "vitest";
import { readText } from "../../files/index.ts";
import { descriptorBudget } from "../descriptors.ts";
import { Log } from "../log.ts";
import { testFolder } from "../test-kit/folder.ts";
import { plainRing } from "./plain-ring.ts";
import { DaemonServer } from "./server.ts";

const TOKEN = "0123456789abcdef".repeat(4);

function ringText({ name = "a~b~1~2~0", token = TOKEN, cwd = "/w/ü x", more = "" } = {}): string {
  return `POST /v1/ring/${name} HTTP/1.0\r\nHost: seam\r\nx-seam-token: ${token}\r\nx-seam-cwd: ${cwd}\r\n${more}Content-Length: 0\r\n\r\n`;
}

/** A way in that notes who rang as Seam's clients do, and who came as HTTP. */
async function testDoor() {
  const folder = testFolder();
  const rings: { name: string; cwd?: string; text?: string }[] = [];
  const asHttp: string[] = [];
  const server = new DaemonServer({
    token: TOKEN,
    log: new Log(join(folder, "log")),
    budget: descriptorBudget(),
    ring: async (rung, caller) => {
      const { name } = rung;
      const { token: _, ...told } = { token: "", ...rung };
      rings.push(told);
      if (name === "fails") throw new Error("it fails");
      if (name === "gone") return caller.refuse(410, "There is no such file.");
      await caller.answer({ stdout: "é out", stderr: "no: ü\n", exitCode: 2 });
    },
    routes: {
      "POST /v1/ring/": (request, { pathname }, response) => {
        asHttp.push(pathname);
        request.resume();
        response.end("as http");
      },
    },
  });
  onTestFinished(() => server.close());
  const path = join(folder, "sock");
  await server.listenOnSocket(path);
  const port = await server.listenOnPort(0);
  const log = () => readText(join(folder, "log")) ?? "";
  return { path, port, rings, asHttp, log };
}

/** What comes back for these pieces, until the other side closes. */
async function say(way: { path: string } | { port: number }, ...pieces: string[]): Promise<string> {
  const socket = connect(way);
  const parts: Buffer[] = [];
  socket.on("error", () => {});
  socket.on("data", (part: Buffer) => parts.push(part));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const [n, piece] of pieces.entries()) {
    // The other side has taken what was written before, however busy the machine is.
    if (n > 0) await sleep(200);
    socket.write(piece);
  }
  await closed;
  return Buffer.concat(parts).toString("utf8");
}

it("a ring of Seam's clients is answered with what goes to stdout, to stderr, and the code", async () => {
  const { path, rings, asHttp } = await testDoor();
  const reply = await say({ path }, ringText());
  expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(reply).toContain("\r\ncontent-length: 6\r\nx-seam-exit: 2\r\n");
  expect(reply).toContain("x-seam-stderr: no:\\0040\\0303\\0274\\0012\r\n");
  expect(reply.endsWith("\r\n\r\né out")).toBe(true);
  expect(rings).toEqual([{ name: "a~b~1~2~0", cwd: "/w/ü x" }]);
  expect(asHttp).toEqual([]);
});

it("a ring with its payload is heard with it, to the byte", async () => {
  const { path, rings, asHttp } = await testDoor();
  const text = `{"said":"ü\\u0000 \r\n\r\n"}\r\n\r\n`;
  const ring = ringText({ name: "a~b~1~2~0@17000000000123456789" });
  const along = ring.replace("Length: 0", `Length: ${Buffer.byteLength(text)}`) + text;
  expect(await say({ path }, along)).toContain("200 OK");
  expect(rings).toEqual([{ name: "a~b~1~2~0@17000000000123456789", cwd: "/w/ü x", text }]);
  expect(asHttp).toEqual([]);
  expect(plainRing(Buffer.from(`${along}x`))).toBeUndefined();
  expect(plainRing(Buffer.from(along.slice(0, -1)))).toBeUndefined();
});

it("a ring that comes in pieces, or on the port, is read as HTTP", async () => {
  const { path, port, rings, asHttp } = await testDoor();
  const text = ringText({ cwd: "/w" });
  for (const at of [1, 20, text.length - 1]) {
    expect(await say({ path }, text.slice(0, at), text.slice(at))).toContain("as http");
  }
  expect(await say({ port }, text)).toContain("as http");
  expect(asHttp).toHaveLength(4);
  expect(rings).toEqual([]);
});

test.each([
  ["a wrong token", ringText({ token: "0".repeat(64) }), "401"],
  ["part of the token", ringText({ token: TOKEN.slice(0, -1) }), "401"],
  ["a page of a browser", ringText({ more: "Origin: http://x\r\n" }), "403"],
  ["what is no request", "seam\r\n\r\n", "400"],
])("nobody gets in with %s", async (_, text, status) => {
  const { path, rings, asHttp, log } = await testDoor();
  expect(await say({ path }, text)).toContain(`HTTP/1.1 ${status} `);
  expect([rings, asHttp]).toEqual([[], []]);
  expect(log()).not.toContain(TOKEN);
});

it("says what went wrong, and goes on", async () => {
  const { path, log } = await testDoor();
  expect(await say({ path }, ringText({ name: "gone" }))).toContain("HTTP/1.1 410 Gone\r\n");
  expect(await say({ path }, ringText({ name: "fails" }))).toContain("HTTP/1.1 500 ");
  expect(log()).toContain("it fails");
  expect(await say({ path }, ringText())).toContain("200 OK");
});

test.each([
  ["more behind it", `${ringText()}x`],
  ["a body", ringText().replace("Length: 0", "Length: 1")],
  ["a line break in the folder", ringText({ cwd: "/w\r\nx-a: b" })],
  ["a name that leads elsewhere", ringText({ name: "../token" })],
  ["an endless folder", ringText({ cwd: `/${"w".repeat(10_000)}` })],
  ["nothing", ""],
])("with %s it is no ring of Seam's clients", (_, text) => {
  expect(plainRing(Buffer.from(text))).toBeUndefined();
});
