import { afterEach, beforeEach, expect, test } from "vitest";
import { failureOf } from "../failure.ts";
import { HELLO, hear, lonelyModels, READ_TOOL, user } from "../test-kit/ask.ts";
import { type ModelServer, refuse, sse, startModelServer } from "../test-kit/model-server.ts";
import { conversationWithPicture } from "../test-kit/pictures.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server[Symbol.asyncDispose]());

function google() {
  const models = lonelyModels({ env: { GEMINI_API_KEY: "key-g" } });
  models.register("google", { baseUrl: `${server.url}/v1beta` });
  return { models, model: models.resolve("gemini-4-argon") };
}

const chunk = (parts: object[], rest: object = {}) => ({
  responseId: "g1",
  candidates: [{ content: { role: "model", parts }, ...rest }],
});
const usageMetadata = {
  promptTokenCount: 80,
  cachedContentTokenCount: 60,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 3,
};
const end = (finishReason = "STOP") => ({ ...chunk([], { finishReason }), usageMetadata });

test("text arrives, thinking counts as output, cached input does not count as input", async () => {
  server.answer(sse([chunk([{ text: "Hel" }]), chunk([{ text: "lo" }]), end()]));
  const { models, model } = google();
  const { types, message } = await hear(models.stream(model, HELLO));
  expect(types).toEqual(["start", "text_start", "text_delta", "text_delta", "text_end", "done"]);
  expect(message).toMatchObject({
    content: [{ type: "text", text: "Hello" }],
    usage: { input: 20, cacheRead: 60, output: 8 },
  });
  const [request] = server.requests;
  expect(request?.url).toBe("/v1beta/models/gemini-4-argon:streamGenerateContent?alt=sse");
  expect(request?.headers["x-goog-api-key"]).toBe("key-g");
});

test("levels become words for new models and numbers for old ones", async () => {
  server.answer(sse([chunk([{ text: "ok" }]), end()]));
  const { models, model } = google();
  await hear(models.stream(model, HELLO, { reasoning: "xhigh" }));
  await hear(models.stream(model, HELLO));
  await hear(models.stream(models.resolve("google/gemini-2.5-flash"), HELLO));
  const configs = server.requests.map(({ body }) => body.generationConfig);
  expect(configs).toMatchObject([
    { thinkingConfig: { thinkingLevel: "high", includeThoughts: true } },
    { thinkingConfig: { thinkingLevel: "low" } },
    { thinkingConfig: { thinkingBudget: 0, includeThoughts: false } },
  ]);
});

test("thoughts and calls go back with their signatures", async () => {
  server.answer(
    sse([
      chunk([{ text: "Hmm.", thought: true }]),
      chunk([
        {
          functionCall: { id: "f1", name: "read", args: { path: "a.txt" } },
          thoughtSignature: "sig-f",
        },
      ]),
      end(),
    ]),
    sse([chunk([{ text: "ok" }]), end()]),
  );
  const { models, model } = google();
  const request = { ...HELLO, tools: [READ_TOOL] };
  const { message } = await hear(models.stream(model, request, { reasoning: "high" }));
  expect(message.stopReason).toBe("toolUse");
  expect(message.content).toMatchObject([
    { type: "thinking", thinking: "Hmm." },
    { type: "toolCall", name: "read", arguments: { path: "a.txt" }, thoughtSignature: "sig-f" },
  ]);
  const [, call] = message.content;
  const result = {
    role: "toolResult" as const,
    toolCallId: call?.type === "toolCall" ? call.id : "",
    toolName: "read",
    content: [{ type: "text" as const, text: "content" }],
    isError: false,
    timestamp: 3,
  };
  await hear(models.stream(model, { messages: [user("Hello"), message, result] }));
  const sent = JSON.stringify(server.requests[1]?.body.contents);
  expect(sent).toContain('"thoughtSignature":"sig-f"');
  expect(sent).toContain('"functionResponse"');
});

test("a picture in a tool's result reaches the model", async () => {
  server.answer(sse([chunk([{ text: "ok" }]), end()]));
  const { models, model } = google();
  await hear(models.stream(model, { messages: conversationWithPicture(model) }));
  const sent = JSON.stringify(server.requests[0]?.body.contents);
  expect(sent).toContain('"inlineData":{"mimeType":"image/png","data":"aGk="}');
});

test("the limit, and a call the model garbled", async () => {
  server.answer(
    sse([chunk([{ text: "And" }]), end("MAX_TOKENS")]),
    sse([chunk([{ text: "And" }]), end("MALFORMED_FUNCTION_CALL")]),
  );
  const { models, model } = google();
  expect((await hear(models.stream(model, HELLO))).message.stopReason).toBe("length");
  const { message } = await hear(models.stream(model, HELLO));
  expect(message.stopReason).toBe("error");
  expect(failureOf(message)?.kind).toBe("transient");
});

test("a quota that comes back is worth waiting for", async () => {
  const message = "You exceeded your current quota. Please retry in 30.5s.";
  server.answer(refuse(429, { error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } }));
  const { models, model } = google();
  const heard = await hear(models.stream(model, HELLO));
  expect(heard.message.errorMessage).toContain("HTTP 429: You exceeded");
  const expected = { kind: "transient", status: 429, retryAfterMs: 30_500 };
  expect(failureOf(heard.message)).toEqual(expected);
});
