import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { descriptorBudget } from "../descriptors.ts";
import { Log } from "../log.ts";
import { testFolder } from "../test-kit/folder.ts";
import { runHook, testDaemon, testPlace, until } from "../test-kit/setup.ts";
import { readBody } from "./read-body.ts";
import { DaemonServer, end } from "./server.ts";

type Way = { path: string } | { host: string; port: number };

/** Connections that stay open as long as the other side lets them. */
function silent(way: Way, count: number, text = ""): Socket[] {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(way).on("error", () => {});
    // Whether the other side has closed shows only to who reads.
    socket.resume();
    if (text) socket.write(text);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

const closed = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => closed).length;

/** How long a body may stop: far longer than a busy machine keeps the next piece back. */
const BODY_MS = 1_500;

/** A way in with short limits that answers everything, bodies included. */
async function testDoor() {
  const folder = testFolder();
  const server = new DaemonServer({
    token: "t".repeat(64),
    log: new Log(join(folder, "log")),
    budget: descriptorBudget(),
    headersMs: 300,
    ring: async ({ name }, caller) => caller.refuse(410, name),
    routes: {
      "POST /v1/hook": async (request, _, response) => {
        end(response, 200, String((await readBody(request, BODY_MS)).length));
      },
    },
  });
  onTestFinished(() => server.close());
  const path = join(folder, "sock");
  await server.listenOnSocket(path);
  return { ways: [{ path }, { host: "127.0.0.1", port: await server.listenOnPort(0) }], folder };
}

it("five hundred silent connections to the port keep no hook waiting, there or on the socket", async () => {
  const place = testPlace();
  place.write({
    "extensions/gate.ts": `export default (pi) => pi.on("tool_call", () => ({ block: true, reason: "asked" }));`,
  });
  const { port } = await testDaemon(place);
  const way = { host: "127.0.0.1", port };
  const sockets = silent(way, 500);
  // Only those that came last are still held.
  await until(() => closed(sockets) === 500 - descriptorBudget().strangers);
  const payload = { session: "s", cwd: place.project, tool: "bash", input: {} };
  expect((await runHook(place, "before", payload)).stdout).toContain("asked");
  const url = `http://127.0.0.1:${port}/v1/hook?agent=aider&hook=before`;
  const headers = { "x-seam-token": readFileSync(place.token, "utf8") };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(payload) });
  expect(await answer.text()).toContain("asked");
}, 60_000);

it("a connection that does not come to its question is closed", async () => {
  const { ways } = await testDoor();
  for (const way of ways) {
    const sockets = [
      ...silent(way, 3),
      ...silent(way, 3, "POST /v1/hook HTTP/1.1\r\nhost: seam\r\nx-a: "),
    ];
    const drip = setInterval(() => sockets[4]?.write("a"), 50);
    await until(() => closed(sockets) === 6);
    clearInterval(drip);
  }
});

it("a request without the token is closed at once, whatever body it announces", async () => {
  const { ways } = await testDoor();
  for (const way of ways) {
    const head = "POST /v1/hook HTTP/1.1\r\nhost: seam\r\ncontent-length: 1000000\r\n\r\nx";
    const [socket] = silent(way, 1, head);
    let text = "";
    socket?.on("data", (data) => {
      text += data;
    });
    await until(() => socket?.closed === true);
    expect(text).toContain("401");
  }
});

it("a body that stops coming is given up, and one that is long is waited for", async () => {
  const { ways, folder } = await testDoor();
  for (const way of ways) {
    const head = `POST /v1/hook HTTP/1.1\r\nhost: seam\r\nx-seam-token: ${"t".repeat(64)}\r\ncontent-length: 5\r\n\r\n`;
    const [stops, goesOn] = [...silent(way, 1, `${head}x`), ...silent(way, 1, head)];
    let text = "";
    goesOn?.on("data", (data) => {
      text += data;
    });
    for (let sent = 0; sent < 5; sent++) {
      // In all it takes longer than a body may stop.
      await new Promise((resolve) => setTimeout(resolve, BODY_MS / 4));
      goesOn?.write("x");
    }
    await until(() => stops?.closed === true && text.includes("200 OK"));
    expect(text).toMatch(/\r\n5\n/);
  }
  expect(readFileSync(join(folder, "log"), "utf8")).toContain("its body stopped coming");
});

it("a body that is larger than any may be is not read to its end", async () => {
  let read = { text: "", bytes: 0 };
  const server = createServer(async (request) => {
    const { socket } = request;
    const text = await readBody(request, BODY_MS, 1_000);
    read = { text, bytes: socket.bytesRead };
  });
  onTestFinished(() => void server.close());
  const path = join(testFolder(), "sock");
  await new Promise<void>((listening) => server.listen(path, listening));
  const announced = 10_000_000;
  const [socket] = silent(
    { path },
    1,
    `POST / HTTP/1.1\r\nhost: seam\r\ncontent-length: ${announced}\r\n\r\n`,
  );
  socket?.write(Buffer.alloc(announced, "x"));
  await until(() => read.text !== "");
  expect(read.text).toBe("too large: more than 1000 bytes");
  expect(read.bytes).toBeLessThan(announced);
});

it("descriptors are divided so that something is left for everyone, however few there are", () => {
  for (const limit of [16, 64, 256, 1_024, 1_048_576]) {
    const { onSocket, onPort, strangers, threads } = descriptorBudget(limit);
    expect(Math.min(onSocket, onPort - strangers, strangers, threads)).toBeGreaterThan(0);
    if (limit > 63) expect(onSocket + onPort + 5 * threads + 40).toBeLessThanOrEqual(limit);
  }
});
