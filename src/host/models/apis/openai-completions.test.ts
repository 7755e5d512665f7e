import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProviderModelConfig } from "../../../extensions/index.ts";
import { HELLO, hear, lonelyModels, READ_TOOL } from "../test-kit/ask.ts";
import { type ModelServer, sse, startModelServer } from "../test-kit/model-server.ts";
import { conversationWithPicture } from "../test-kit/pictures.ts";
import { malformedArguments } from "../tool-arguments.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const chunk = (delta: object, rest: object = {}) => ({
  id: "chat_1",
  object: "chat.completion.chunk",
  created: 1,
  model: "qwen",
  choices: [{ index: 0, delta, ...rest }],
});
const end = (finish_reason: string) => [
  chunk({}, { finish_reason }),
  {
    ...chunk({}),
    choices: [],
    usage: {
      prompt_tokens: 50,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 30 },
    },
  },
  "[DONE]",
];
const call = (index: number, fields: object, args: string) =>
  chunk({ tool_calls: [{ index, ...fields, function: { ...fields, arguments: args } }] });

function local(model: Partial<ProviderModelConfig> = {}) {
  const models = lonelyModels();
  models.register("local", {
    baseUrl: `${server.url}/v1`,
    api: "openai-completions",
    models: [
      {
        id: "qwen",
        name: "Qwen",
        reasoning: true,
        input: ["text", "image"],
        cost: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 0 },
        contextWindow: 32_000,
        maxTokens: 4_000,
        ...model,
      },
    ],
  });
  return { models, model: models.resolve("local/qwen") };
}

test("a server of one's own needs no key and gets none", async () => {
  server.answer(sse([chunk({ content: "Hel" }), chunk({ content: "lo" }), ...end("stop")]));
  const { models, model } = local();
  const { types, message } = await hear(models.stream(model, HELLO));
  expect(types).toEqual(["start", "text_start", "text_delta", "text_delta", "text_end", "done"]);
  expect(message).toMatchObject({
    content: [{ type: "text", text: "Hello" }],
    usage: { input: 20, cacheRead: 30, output: 5, cost: { total: (20 + 15 + 10) / 1e6 } },
  });
  const [request] = server.requests;
  expect(request?.url).toBe("/v1/chat/completions");
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
  });
});

test("thinking and text become two blocks", async () => {
  const parts = [chunk({ reasoning_content: "Hm" }), chunk({ reasoning_content: "m." })];
  server.answer(sse([...parts, chunk({ content: "Yes." }), ...end("stop")]));
  const { models, model } = local();
  const { message } = await hear(models.stream(model, HELLO, { reasoning: "medium" }));
  expect(message.content).toEqual([
    { type: "thinking", thinking: "Hmm." },
    { type: "text", text: "Yes." },
  ]);
  expect(server.requests[0]?.body.reasoning_effort).toBe("medium");
});

test("two tool calls in pieces, one of them garbled", async () => {
  server.answer(
    sse([
      call(0, { id: "a", type: "function", name: "read" }, ""),
      call(0, {}, '{"path":'),
      call(0, {}, '"x"}'),
      call(1, { id: "b", type: "function", name: "read" }, '{"path": x'),
      ...end("tool_calls"),
    ]),
  );
  const { models, model } = local();
  const { message } = await hear(models.stream(model, { ...HELLO, tools: [READ_TOOL] }));
  expect(message.stopReason).toBe("toolUse");
  const [first, second] = message.content;
  expect(first).toMatchObject({ id: "a", arguments: { path: "x" } });
  expect(second?.type === "toolCall" && malformedArguments(second)).toBe('{"path": x');
});

test("a picture of a tool follows its result, as the user's", async () => {
  server.answer(sse([chunk({ content: "ok" }), ...end("stop")]));
  const { models, model } = local();
  await hear(models.stream(model, { messages: conversationWithPicture(model) }));
  expect(server.requests[0]?.body.messages).toMatchObject([
    {},
    { role: "assistant", tool_calls: [{ id: "t1" }] },
    { role: "tool", tool_call_id: "t1", content: "here\n(An image; it follows below.)" },
    { role: "user", content: [{ type: "text" }, { type: "image_url" }] },
  ]);
});

test("a model that cannot see is told that there was something", async () => {
  server.answer(sse([chunk({ content: "ok" }), ...end("stop")]));
  const { models, model } = local({ input: ["text"] });
  await hear(models.stream(model, { messages: conversationWithPicture(model) }));
  const { messages } = server.requests[0]?.body ?? {};
  expect(JSON.stringify(messages)).not.toContain("aGk=");
  expect(messages).toHaveLength(3);
  expect(JSON.stringify(messages)).toContain("cannot see");
});

test.each([
  ["its own limit", {}, {}, { max_completion_tokens: 777 }],
  ["the limit that was asked for", { maxTokens: 50 }, {}, { max_completion_tokens: 50 }],
  [
    "the older name where compat says so",
    {},
    { maxTokensField: "max_tokens" },
    { max_tokens: 777 },
  ],
])("a model is told %s", async (_, options, compat, expected) => {
  server.answer(sse([chunk({ content: "ok" }), ...end("stop")]));
  const { models, model } = local({ maxTokens: 777, compat });
  await hear(models.stream(model, HELLO, options));
  const { max_tokens, max_completion_tokens } = server.requests[0]?.body ?? {};
  const sent = { max_tokens, max_completion_tokens };
  expect(JSON.parse(JSON.stringify(sent))).toEqual(expected);
});

test("a limit that is only assumed is not sent", async () => {
  server.answer(sse([chunk({ content: "ok" }), ...end("stop")]));
  const { models } = local();
  await hear(models.stream(models.resolve("local/brand-new"), HELLO));
  const body = server.requests[0]?.body ?? {};
  expect(body).not.toHaveProperty("max_completion_tokens");
  expect(body).not.toHaveProperty("max_tokens");
});

test("providers known for the older name get it", async () => {
  server.answer(sse([chunk({ content: "ok" }), ...end("stop")]));
  const models = lonelyModels();
  const { model } = local({ maxTokens: 777 });
  models.register("together", { baseUrl: `${server.url}/v1`, api: model.api, models: [model] });
  await hear(models.stream(models.resolve(`together/${model.id}`), HELLO));
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 777 });
});

test("compat says what a server does not understand", async () => {
  server.answer(sse([chunk({ content: "ok" }), ...end("stop")]));
  const compat = {
    maxTokensField: "max_completion_tokens",
    supportsUsageInStreaming: false,
    supportsReasoningEffort: false,
  };
  const { models, model } = local({ compat });
  await hear(models.stream(model, HELLO, { maxTokens: 100, reasoning: "high" }));
  const body = server.requests[0]?.body ?? {};
  expect(body.max_completion_tokens).toBe(100);
  expect(body).not.toHaveProperty("max_tokens");
  expect(body).not.toHaveProperty("stream_options");
  expect(body).not.toHaveProperty("reasoning_effort");
});
