import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../daemon/test-kit/setup.ts";
import type { StreamEvent } from "../api.ts";
import { SseParser } from "../test-kit/sse.ts";
import { Hub } from "./hub.ts";

const MB = 1024 * 1024;

/** A hub behind a real server, and pages that read only when they are told to. */
async function setUp() {
  const counts: number[] = [];
  const hub = new Hub((count) => counts.push(count));
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    responses.push(response);
    hub.join(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const page = async () => {
    const nth = responses.length;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await until(() => responses.length > nth);
    const parser = new SseParser();
    const response = responses[nth];
    if (!response) throw new Error("no response");
    return { socket, parser, response, read: () => socket.on("data", (part) => parser.add(part)) };
  };
  const notice = (bytes: number): StreamEvent => {
    const text = "x".repeat(bytes);
    return { type: "notice", agent: "a", session: "s", level: "info", text };
  };
  return { hub, page, notice, counts };
}

it("a page that hangs costs what one page may cost, however much is told, and loads anew when it reads", async () => {
  const { hub, page, notice } = await setUp();
  const hangs = await page();
  const reads = await page();
  reads.read();
  for (let n = 0; n < 2_000; n++) {
    hub.tell(notice(20_000));
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // 40 MB were told.
  expect(hangs.response.writableLength).toBeLessThan(MB / 2);
  expect(hub.keptBytes).toBeLessThanOrEqual(MB);
  hangs.read();
  await until(() => hangs.response.writableLength === 0);
  hub.tell(notice(1));
  hub.tell(notice(2));
  const told = () => hangs.parser.events.slice(-2).map(({ type }) => type);
  await until(() => told().join() === "reload,notice");
  expect(hangs.parser.events.length).toBeLessThan(500);
});

it("a page that is gone leaves nothing behind, and the hub says how many there are", async () => {
  const { hub, page, counts } = await setUp();
  const [one, two] = [await page(), await page()];
  expect(counts).toEqual([1, 2]);
  one.socket.destroy();
  two.socket.destroy();
  await until(() => hub.count === 0);
  expect(counts).toEqual([1, 2, 1, 0]);
});
