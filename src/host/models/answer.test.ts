import { expect, test } from "vitest";
import type { AssistantMessage, Model } from "../../events/index.ts";
import { Answer } from "./answer.ts";
import { hear } from "./test-kit/ask.ts";

const MODEL: Model = {
  id: "m",
  name: "M",
  api: "a",
  provider: "p",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
  contextWindow: 1,
  maxTokens: 1,
};

test("every event has the message as it was then", async () => {
  const answer = new Answer(MODEL);
  const index = answer.open({ type: "text", text: "" });
  for (const piece of ["a", "b", "c"]) answer.append(index, piece);
  answer.end(index);
  answer.done("stop");
  const { events } = await hear(answer.stream);
  const texts = events.flatMap((event) => ("partial" in event ? [textOf(event.partial)] : []));
  expect(texts).toEqual(["", "", "a", "ab", "abc", "abc"]);
});

test("a delta makes one new block and copies no other", async () => {
  const answer = new Answer(MODEL);
  const first = answer.open({ type: "text", text: "" });
  answer.append(first, "done");
  answer.end(first);
  const second = answer.open({ type: "text", text: "" });
  for (const piece of ["a", "b"]) answer.append(second, piece);
  answer.done("stop");
  const { events, message } = await hear(answer.stream);
  const deltas = events.filter((event) => event.type === "text_delta").slice(-2);
  const [one, two] = deltas.map((event) => ("partial" in event ? event.partial.content : []));
  expect(one?.[0]).toBe(two?.[0]);
  expect(two?.[0]).toBe(message.content[0]);
  expect(one?.[1]).not.toBe(two?.[1]);
});

test("an aborted answer keeps what there is of a tool call", async () => {
  const abort = new AbortController();
  const answer = new Answer(MODEL, abort.signal);
  const index = answer.open({ type: "toolCall", id: "1", name: "read", arguments: {} });
  answer.append(index, '{"path": "a');
  abort.abort();
  answer.append(index, '.txt"}');
  answer.end(index);
  answer.done("toolUse");
  const { types, message } = await hear(answer.stream);
  expect(types).toEqual(["start", "toolcall_start", "toolcall_delta", "error"]);
  expect(message.content).toMatchObject([{ arguments: { __malformed: '{"path": "a' } }]);
});

test("a finished answer lets go of the signal", () => {
  const abort = new AbortController();
  const answer = new Answer(MODEL, abort.signal);
  answer.done("stop");
  abort.abort();
  return expect(answer.stream.result()).resolves.toMatchObject({ stopReason: "stop" });
});

function textOf({ content }: AssistantMessage): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
