import { expect, it } from "vitest";
import type { AssistantMessage } from "../../events/index.ts";
import { createAssistantMessageEventStream, EventStream } from "./event-stream.ts";

const numbers = () =>
  new EventStream<number, string>(
    (n) => n === 0,
    (n) => `ended with ${n}`,
  );

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const message = (text: string): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "a",
  provider: "p",
  model: "m",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 0,
});

it("gives out what was pushed before and after someone looked, in order", async () => {
  const stream = numbers();
  stream.push(1);
  const reading = all(stream);
  stream.push(2);
  await Promise.resolve();
  stream.push(3);
  stream.push(0);
  expect(await reading).toEqual([1, 2, 3, 0]);
  expect(await stream.result()).toBe("ended with 0");
});

it("ignores what is pushed after the end", async () => {
  const stream = numbers();
  stream.push(0);
  stream.push(5);
  expect(await all(stream)).toEqual([0]);
});

it("ends a reader that is waiting when it is ended from outside", async () => {
  const stream = numbers();
  const reading = all(stream);
  stream.end("by hand");
  expect(await reading).toEqual([]);
  expect(await stream.result()).toBe("by hand");
});

it("two readers share the items and both come to the end", async () => {
  const stream = numbers();
  const readers = Promise.all([all(stream), all(stream)]);
  for (const n of [1, 2, 0]) stream.push(n);
  expect((await readers).flat().sort()).toEqual([0, 1, 2]);
});

it("an assistant's stream ends with the whole message", async () => {
  const stream = createAssistantMessageEventStream();
  const whole = message("whole");
  stream.push({ type: "start", partial: message("") });
  stream.push({ type: "done", reason: "stop", message: whole });
  expect((await all(stream)).map(({ type }) => type)).toEqual(["start", "done"]);
  expect(await stream.result()).toBe(whole);
});

it("an assistant's stream that fails ends with the message that says so", async () => {
  const stream = createAssistantMessageEventStream();
  const failed = message("failed");
  stream.push({ type: "error", reason: "error", error: failed });
  expect(await stream.result()).toBe(failed);
});
