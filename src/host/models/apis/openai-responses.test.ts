import { afterEach, beforeEach, expect, test } from "vitest";
import { HELLO, hear, lonelyModels, READ_TOOL, user } from "../test-kit/ask.ts";
import { type ModelServer, refuse, sse, startModelServer } from "../test-kit/model-server.ts";
import { conversationWithPicture } from "../test-kit/pictures.ts";
import { malformedArguments } from "../tool-arguments.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const env = () => ({ OPENAI_API_KEY: "key-o", OPENAI_BASE_URL: `${server.url}/v1` });

const created = {
  type: "response.created",
  response: { id: "resp_1", created_at: 1_790_000_000, model: "gpt-6.1-sol" },
};
const message = (output_index: number, ...deltas: string[]) => {
  const item = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [],
  };
  return [
    { type: "response.output_item.added", output_index, item },
    ...deltas.map((delta) => ({
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index,
      content_index: 0,
      delta,
    })),
    { type: "response.output_item.done", output_index, item },
  ];
};
const call = (output_index: number, ...deltas: string[]) => {
  const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read" };
  const whole = deltas.join("");
  return [
    { type: "response.output_item.added", output_index, item: { ...item, arguments: "" } },
    ...deltas.map((delta) => ({
      type: "response.function_call_arguments.delta",
      item_id: "fc_1",
      output_index,
      delta,
    })),
    {
      type: "response.output_item.done",
      output_index,
      item: { ...item, arguments: whole, status: "completed" },
    },
  ];
};
const reasoning = (output_index: number, delta: string) => {
  const item = { type: "reasoning", id: "rs_1", summary: [] };
  return [
    { type: "response.output_item.added", output_index, item },
    {
      type: "response.reasoning_summary_part.added",
      item_id: "rs_1",
      output_index,
      summary_index: 0,
    },
    {
      type: "response.reasoning_summary_text.delta",
      item_id: "rs_1",
      output_index,
      summary_index: 0,
      delta,
    },
    {
      type: "response.output_item.done",
      output_index,
      item: { ...item, encrypted_content: "enc-1" },
    },
  ];
};
const completed = (incomplete?: string) => ({
  type: incomplete ? "response.incomplete" : "response.completed",
  response: {
    ...(incomplete && { incomplete_details: { reason: incomplete } }),
    usage: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 4 },
    },
  },
});

test("text arrives, and cached tokens are not counted as input", async () => {
  server.answer(sse([created, ...message(0, "Hel", "lo"), completed()]));
  const models = lonelyModels({ env: env() });
  const heard = await hear(models.stream(models.resolve("gpt-6.1-sol"), HELLO));
  expect(heard.types).toEqual([
    "start",
    "text_start",
    "text_delta",
    "text_delta",
    "text_end",
    "done",
  ]);
  expect(heard.message).toMatchObject({
    content: [{ type: "text", text: "Hello" }],
    stopReason: "stop",
    responseId: "resp_1",
    usage: { input: 20, cacheRead: 100, output: 9 },
  });
});

test("the request is not stored there, and says how hard to think", async () => {
  server.answer(sse([created, ...message(0, "ok"), completed()]));
  const models = lonelyModels({ env: env() });
  const request = { ...HELLO, tools: [READ_TOOL] };
  const options = { reasoning: "high" as const, sessionId: "session-1" };
  await hear(models.stream(models.resolve("gpt-6.1-sol"), request, options));
  await hear(models.stream(models.resolve("gpt-6.1-sol"), request));
  await hear(models.stream(models.resolve("gpt-6-luna"), request));
  const [high, off, silent] = server.requests;
  expect(high?.url).toBe("/v1/responses");
  expect(high?.headers.authorization).toBe("Bearer key-o");
  expect(high?.body).toMatchObject({
    store: false,
    stream: true,
    prompt_cache_key: "session-1",
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "high", summary: "auto" },
    tools: [{ type: "function", name: "read" }],
    input: [{ role: "developer", content: "Be brief." }, { role: "user" }],
  });
  // The one model cannot be told not to think, the other can.
  expect(off?.body.reasoning).toMatchObject({ effort: "low" });
  expect(silent?.body.reasoning).toEqual({ effort: "none" });
});

test("thinking comes encrypted and goes back as it came", async () => {
  server.answer(
    sse([created, ...reasoning(0, "Hmm."), ...call(1, "{}"), completed()]),
    sse([created, ...message(0, "ok"), completed()]),
  );
  const models = lonelyModels({ env: env() });
  const model = models.resolve("gpt-6.1-sol");
  const { message: answer } = await hear(models.stream(model, HELLO, { reasoning: "low" }));
  const [thinking, toolCall] = answer.content;
  expect(thinking).toMatchObject({ type: "thinking", thinking: "Hmm." });
  expect(toolCall).toMatchObject({ type: "toolCall", id: "call_1" });
  const result = {
    role: "toolResult" as const,
    toolCallId: "call_1",
    toolName: "read",
    content: [{ type: "text" as const, text: "done" }],
    isError: false,
    timestamp: 3,
  };
  const messages = [user("Hello"), answer, result];
  await hear(models.stream(model, { messages }, { reasoning: "low" }));
  expect(server.requests[1]?.body.input).toMatchObject([
    { role: "user" },
    { type: "reasoning", id: "rs_1", encrypted_content: "enc-1" },
    { type: "function_call", call_id: "call_1", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "call_1", output: "done" },
  ]);
});

test("a tool call split over chunks is put together, a garbled one is kept", async () => {
  server.answer(
    sse([created, ...call(0, '{"path":', '"a.txt"}'), completed()]),
    sse([created, ...call(0, '["a.txt"', "]"), completed()]),
  );
  const models = lonelyModels({ env: env() });
  const model = models.resolve("gpt-6.1-sol");
  const good = await hear(models.stream(model, HELLO));
  expect(good.message.stopReason).toBe("toolUse");
  expect(good.message.content).toMatchObject([{ name: "read", arguments: { path: "a.txt" } }]);
  const [bad] = (await hear(models.stream(model, HELLO))).message.content;
  expect(bad?.type === "toolCall" && malformedArguments(bad)).toBe('["a.txt"]');
});

test("a picture in a tool's result is part of the result", async () => {
  server.answer(sse([created, ...message(0, "ok"), completed()]));
  const models = lonelyModels({ env: env() });
  const model = models.resolve("gpt-6.1-sol");
  await hear(models.stream(model, { messages: conversationWithPicture(model) }));
  const input = server.requests[0]?.body.input;
  expect(Array.isArray(input) && input.at(-1)).toMatchObject({
    type: "function_call_output",
    output: [
      { type: "input_text", text: "here" },
      { type: "input_image", image_url: "data:image/png;base64,aGk=" },
    ],
  });
});

test("an answer cut at the limit, one that failed, one that never finished", async () => {
  const failed = {
    type: "response.failed",
    sequence_number: 9,
    response: { error: { code: "server_error", message: "The server had an error" } },
  };
  server.answer(
    sse([created, ...message(0, "And"), completed("max_output_tokens")]),
    sse([created, ...message(0, "And"), failed]),
    sse([created, ...message(0, "And")]),
  );
  const models = lonelyModels({ env: env() });
  const model = models.resolve("gpt-6.1-sol");
  expect((await hear(models.stream(model, HELLO))).message.stopReason).toBe("length");
  const broken = await hear(models.stream(model, HELLO));
  expect(broken.message).toMatchObject({ stopReason: "error", content: [{ text: "And" }] });
  expect(broken.message.errorMessage).toContain("The server had an error");
  const cut = await hear(models.stream(model, HELLO));
  expect(cut.message.errorMessage).toBe("The answer ended before it was complete.");
});

test("a model the provider does not have is refused in its words", async () => {
  const error = { message: "The model does not exist", type: "invalid_request_error" };
  server.answer(refuse(404, { error: { ...error, code: "model_not_found" } }));
  const models = lonelyModels({ env: env() });
  const { message: answer } = await hear(models.stream(models.resolve("openai/gpt-9"), HELLO));
  expect(answer.errorMessage).toMatch(/^HTTP 404: The model does not exist/);
});
