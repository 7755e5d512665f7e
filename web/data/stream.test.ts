import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SseParser } from "./sse-parser.ts";
import { Stream } from "./stream.ts";

describe("the parser of server-sent events", () => {
  it("reads data, ids and comments, whatever the pieces", () => {
    const text =
      ': hello\nid: 4\ndata: {"a":1}\n\nevent: x\r\ndata: one\r\ndata: two\r\n\r\ndata:3\n\n';
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const parser = new SseParser();
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const messages = at.flatMap((from, n) => parser.take(text.slice(from, at[n + 1])));
        expect(messages).toEqual([
          { data: '{"a":1}', id: "4" },
          { data: "one\ntwo", id: "4" },
          { data: "3", id: "4" },
        ]);
      }),
    );
  });

  it("does not give a message that is not complete", () => {
    const parser = new SseParser();
    expect(parser.take("data: half")).toEqual([]);
    expect(parser.take("\n")).toEqual([]);
    expect(parser.take("\n")).toEqual([{ data: "half" }]);
  });
});

describe("the stream", () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function served(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    const server = createServer(answer);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const heard: unknown[] = [];
    const states: string[] = [];
    const refused = vi.fn();
    const stream = new Stream<unknown>(
      `http://127.0.0.1:${address.port}/`,
      { hear: (event) => heard.push(event), changed: (state) => states.push(state), refused },
      [1],
    );
    closing.push(() => stream.close());
    return { heard, states, refused };
  }

  it("comes back after a break and says what it had last", async () => {
    const asked: (string | undefined)[] = [];
    const { heard, states } = await served((request, response) => {
      const last = request.headers["last-event-id"];
      asked.push(typeof last === "string" ? last : undefined);
      const id = asked.length;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`id: ${id}\ndata: ${id}\n\n`);
      if (id < 3) setImmediate(() => response.destroy());
    });
    await vi.waitFor(() => expect(heard).toEqual([1, 2, 3]));
    expect(asked).toEqual([undefined, "1", "2"]);
    expect(states).toContain("lost");
    expect(states.at(-1)).toBe("open");
  });

  it("goes on after an event that is not JSON", async () => {
    const complained = vi.spyOn(console, "error").mockImplementation(() => {});
    closing.push(() => complained.mockRestore());
    const { heard } = await served((_, response) => {
      response.writeHead(200);
      response.write("data: {broken\n\ndata: 2\n\n");
    });
    await vi.waitFor(() => expect(heard).toEqual([2]));
    expect(complained).toHaveBeenCalledOnce();
  });

  it("does not knock again where it was refused", async () => {
    let knocks = 0;
    const { refused } = await served((_, response) => {
      knocks++;
      response.writeHead(401).end();
    });
    await vi.waitFor(() => expect(refused).toHaveBeenCalledWith(401));
    await new Promise((done) => setTimeout(done, 50));
    expect(knocks).toBe(1);
  });
});
