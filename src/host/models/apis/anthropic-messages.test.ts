import { afterEach, beforeEach, expect, test } from "vitest";
import type { Model } from "../../../events/index.ts";
import { assistant, HELLO, hear, lonelyModels, READ_TOOL, user } from "../test-kit/ask.ts";
import { type ModelServer, sse, startModelServer } from "../test-kit/model-server.ts";
import { conversationWithPicture, PICTURE } from "../test-kit/pictures.ts";
import { malformedArguments } from "../tool-arguments.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const env = () => ({ ANTHROPIC_API_KEY: "key-a", ANTHROPIC_BASE_URL: server.url });

const begin = (usage = {}) => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5-20260901",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, output_tokens: 1, ...usage },
  },
});
const block = (index: number, content_block: object, deltas: object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const text = (index: number, ...parts: string[]) =>
  block(
    index,
    { type: "text", text: "" },
    parts.map((part) => ({ type: "text_delta", text: part })),
  );
const call = (index: number, id: string, ...parts: string[]) =>
  block(
    index,
    { type: "tool_use", id, name: "read", input: {} },
    parts.map((partial_json) => ({ type: "input_json_delta", partial_json })),
  );
const end = (stop_reason: string, output_tokens = 7) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
  { type: "message_stop" },
];

test("text arrives in Pi's events, with usage, cost and the provider's ids", async () => {
  const cached = { cache_read_input_tokens: 100, cache_creation_input_tokens: 50 };
  server.answer(sse([begin(cached), ...text(0, "Hel", "lo"), ...end("end_turn")]));
  const models = lonelyModels({ env: env() });
  const model = models.resolve("claude-sonnet-5-5");
  const { types, message, events } = await hear(models.stream(model, HELLO));
  expect(types).toEqual(["start", "text_start", "text_delta", "text_delta", "text_end", "done"]);
  expect(message).toMatchObject({
    content: [{ type: "text", text: "Hello" }],
    stopReason: "stop",
    responseId: "msg_1",
    responseModel: "claude-sonnet-5-5-20260901",
    usage: { input: 10, output: 7, cacheRead: 100, cacheWrite: 50, totalTokens: 167 },
  });
  const { cost } = message.usage;
  expect(cost.input).toBeCloseTo((10 * 2) / 1e6, 12);
  expect(cost.total).toBeCloseTo((10 * 2 + 7 * 10 + 100 * 0.2 + 50 * 2.5) / 1e6, 12);
  // What a handler kept of an earlier event is still what it was.
  const [, , delta] = events;
  expect(delta).toMatchObject({ delta: "Hel", partial: { content: [{ text: "Hel" }] } });
});

test("the request has key, system prompt, tools, cache marks and the thinking asked for", async () => {
  server.answer(sse([begin(), ...text(0, "ok"), ...end("end_turn")]));
  const models = lonelyModels({ env: env() });
  const model = models.resolve("anthropic/claude-opus-5-5");
  await hear(models.stream(model, { ...HELLO, tools: [READ_TOOL] }, { reasoning: "high" }));
  const [{ url, headers, body } = fail()] = server.requests;
  expect(url).toBe("/v1/messages");
  expect(headers["x-api-key"]).toBe("key-a");
  expect(body).toMatchObject({
    model: "claude-opus-5-5",
    max_tokens: 128_000,
    stream: true,
    system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
    messages: [
      { role: "user", content: [{ text: "Hello", cache_control: { type: "ephemeral" } }] },
    ],
    tools: [{ name: "read", input_schema: READ_TOOL.parameters }],
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "high" },
  });
});

test("older models are told how many tokens they may think with", async () => {
  server.answer(sse([begin(), ...text(0, "ok"), ...end("end_turn")]));
  const models = lonelyModels({ env: env() });
  const model = models.resolve("claude-haiku-4-5");
  await hear(models.stream(model, HELLO, { reasoning: "low" }));
  await hear(models.stream(model, HELLO));
  const [low, off] = server.requests;
  expect(low?.body.thinking).toEqual({ type: "enabled", budget_tokens: 4_096 });
  expect(low?.headers["anthropic-beta"]).toContain("interleaved-thinking");
  expect(off?.body.thinking).toEqual({ type: "disabled" });
});

test("a tool call split over chunks is put together", async () => {
  server.answer(
    sse([begin(), ...call(0, "toolu_1", '{"pa', 'th":"a', '.txt"}'), ...end("tool_use")]),
  );
  const models = lonelyModels({ env: env() });
  const stream = models.stream(models.resolve("claude-sonnet-5-5"), {
    ...HELLO,
    tools: [READ_TOOL],
  });
  const { types, message } = await hear(stream);
  expect(types.filter((type) => type.startsWith("toolcall"))).toEqual([
    "toolcall_start",
    "toolcall_delta",
    "toolcall_delta",
    "toolcall_delta",
    "toolcall_end",
  ]);
  expect(message.stopReason).toBe("toolUse");
  const expected = { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a.txt" } };
  expect(message.content).toEqual([expected]);
});

test("a tool call whose arguments are not JSON is kept and can be told", async () => {
  server.answer(sse([begin(), ...call(0, "toolu_1", '{"path": a.t'), ...end("tool_use")]));
  const models = lonelyModels({ env: env() });
  const { message } = await hear(models.stream(models.resolve("claude-sonnet-5-5"), HELLO));
  const [first] = message.content;
  expect(message.stopReason).toBe("toolUse");
  expect(first?.type === "toolCall" && malformedArguments(first)).toBe('{"path": a.t');
});

test("a call without arguments has none", async () => {
  server.answer(sse([begin(), ...call(0, "toolu_1"), ...end("tool_use")]));
  const models = lonelyModels({ env: env() });
  const { message } = await hear(models.stream(models.resolve("claude-sonnet-5-5"), HELLO));
  expect(message.content).toMatchObject([{ type: "toolCall", arguments: {} }]);
});

test("thinking comes with its signature and goes back with it, redacted or not", async () => {
  const thinking = block(0, { type: "thinking", thinking: "", signature: "" }, [
    { type: "thinking_delta", thinking: "Hm" },
    { type: "thinking_delta", thinking: "m." },
    { type: "signature_delta", signature: "sig-1" },
  ]);
  const hidden = block(1, { type: "redacted_thinking", data: "secret" }, []);
  server.answer(
    sse([begin(), ...thinking, ...hidden, ...call(2, "toolu_1", "{}"), ...end("tool_use")]),
    sse([begin(), ...text(0, "done"), ...end("end_turn")]),
  );
  const models = lonelyModels({ env: env() });
  const model = models.resolve("claude-opus-5");
  const { message } = await hear(models.stream(model, HELLO, { reasoning: "medium" }));
  expect(message.content).toEqual([
    { type: "thinking", thinking: "Hmm.", thinkingSignature: "sig-1" },
    { type: "thinking", thinking: "", thinkingSignature: "secret", redacted: true },
    { type: "toolCall", id: "toolu_1", name: "read", arguments: {} },
  ]);
  const result = {
    role: "toolResult" as const,
    toolCallId: "toolu_1",
    toolName: "read",
    content: [{ type: "text" as const, text: "no such file" }],
    isError: true,
    timestamp: 3,
  };
  const messages = [user("Hello"), message, result];
  await hear(models.stream(model, { messages }, { reasoning: "medium" }));
  expect(server.requests[1]?.body.messages).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hmm.", signature: "sig-1" },
        { type: "redacted_thinking", data: "secret" },
        { type: "tool_use", id: "toolu_1", name: "read", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          is_error: true,
          cache_control: { type: "ephemeral" },
        },
      ],
    },
  ]);
});

test("another model's thinking is left out, its words and calls are not", async () => {
  server.answer(sse([begin(), ...text(0, "ok"), ...end("end_turn")]));
  const models = lonelyModels({ env: env() });
  const model = models.resolve("claude-sonnet-5-5");
  const other: Model = { ...model, id: "gpt-6-luna", provider: "openai", api: "openai-responses" };
  const said = assistant(other, [
    { type: "thinking", thinking: "Hm.", thinkingSignature: "{}" },
    { type: "text", text: "Let me look.", textSignature: "{}" },
    { type: "toolCall", id: "call_a|fc_b", name: "read", arguments: { path: "x" } },
  ]);
  const result = {
    role: "toolResult" as const,
    toolCallId: "call_a|fc_b",
    toolName: "read",
    content: [],
    isError: false,
    timestamp: 3,
  };
  await hear(models.stream(model, { messages: [user("Hi"), said, result] }));
  expect(server.requests[0]?.body.messages).toMatchObject([
    {},
    {
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_a" },
      ],
    },
    { content: [{ type: "tool_result", tool_use_id: "call_a" }] },
  ]);
});

test("pictures reach the model, the user's and a tool's", async () => {
  server.answer(sse([begin(), ...text(0, "ok"), ...end("end_turn")]));
  const models = lonelyModels({ env: env() });
  const model = models.resolve("claude-sonnet-5-5");
  const question = { role: "user" as const, content: [PICTURE], timestamp: 1 };
  const messages = [question, ...conversationWithPicture(model)];
  await hear(models.stream(model, { messages }));
  const image = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "aGk=" },
  };
  const content = [{ type: "text", text: "here" }, image];
  expect(server.requests[0]?.body.messages).toMatchObject([
    { role: "user", content: [image, { type: "text", text: "Look" }] },
    { role: "assistant" },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content }] },
  ]);
});

test("an answer that hit the limit says so, a refusal is an error", async () => {
  server.answer(
    sse([begin(), ...text(0, "And then"), ...end("max_tokens")]),
    sse([begin(), ...text(0, "I"), ...end("refusal")]),
  );
  const models = lonelyModels({ env: env() });
  const model = models.resolve("claude-sonnet-5-5");
  expect((await hear(models.stream(model, HELLO))).message.stopReason).toBe("length");
  const { message } = await hear(models.stream(model, HELLO));
  expect(message).toMatchObject({ stopReason: "error", content: [{ text: "I" }] });
  expect(message.errorMessage).toContain("refus");
});

function fail(): never {
  throw new Error("Nothing was requested.");
}
