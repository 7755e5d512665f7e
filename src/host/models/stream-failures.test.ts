import { afterEach, beforeEach, expect, test } from "vitest";
import { failureOf, isTransient } from "./failure.ts";
import type { Models } from "./models.ts";
import { HELLO, hear, lonelyModels } from "./test-kit/ask.ts";
import {
  cutAfter,
  type ModelServer,
  refuse,
  silentAfter,
  sse,
  startModelServer,
} from "./test-kit/model-server.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server[Symbol.asyncDispose]());

function claude() {
  const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url };
  const models = lonelyModels({ env });
  return { models, model: models.resolve("claude-sonnet-5-5") };
}

const START = [
  {
    type: "message_start",
    message: { id: "m", model: "x", usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half a sen" } },
];
const END = [
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];
const error = (type: string, message: string) => ({ type: "error", error: { type, message } });

test("429 says how long to wait", async () => {
  server.answer(refuse(429, error("rate_limit_error", "Slow down"), { "retry-after": "12" }));
  const { models, model } = claude();
  const { types, message } = await hear(models.stream(model, HELLO));
  expect(types).toEqual(["error"]);
  expect(message.errorMessage).toBe("HTTP 429: Slow down (rate_limit_error) (retry after 12 s)");
  const expected = { kind: "transient", status: 429, retryAfterMs: 12_000 };
  expect(failureOf(message)).toEqual(expected);
  // Trying again is the loop's decision, not the SDK's.
  expect(server.requests).toHaveLength(1);
});

test.each([
  [500, error("api_error", "Internal server error"), "transient"],
  [529, error("overloaded_error", "Overloaded"), "transient"],
  [502, "<html>Bad Gateway</html>", "transient"],
  [503, "", "transient"],
  [400, error("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"), "overflow"],
  [413, error("request_too_large", "Request exceeds the maximum size"), "overflow"],
  [401, error("authentication_error", "invalid x-api-key"), "fatal"],
])("%i is told with the provider's words and classified", async (status, body, kind) => {
  server.answer(refuse(status, body));
  const { models, model } = claude();
  const { message } = await hear(models.stream(model, HELLO));
  expect(message.errorMessage).toContain(`HTTP ${status}: `);
  if (typeof body !== "string") expect(message.errorMessage).toContain(body.error.message);
  expect(failureOf(message)).toMatchObject({ kind, status });
});

test("an error in the middle of the stream keeps what came before", async () => {
  server.answer(sse([...START, error("overloaded_error", "Overloaded")]));
  const { models, model } = claude();
  const { message } = await hear(models.stream(model, HELLO));
  expect(message).toMatchObject({ stopReason: "error", content: [{ text: "Half a sen" }] });
  expect(message.errorMessage).toContain("Overloaded");
  expect(isTransient(message)).toBe(true);
});

test("a connection that breaks keeps what came before", async () => {
  server.answer(cutAfter(START));
  const { models, model } = claude();
  const { message, types } = await hear(models.stream(model, HELLO));
  expect(types.at(-1)).toBe("error");
  expect(message).toMatchObject({ stopReason: "error", content: [{ text: "Half a sen" }] });
  expect(message.errorMessage).toMatch(/^Connection failed: /);
  expect(isTransient(message)).toBe(true);
});

test("a stream that ends without having finished is an error", async () => {
  server.answer(sse(START));
  const { models, model } = claude();
  const { message } = await hear(models.stream(model, HELLO));
  expect(message.errorMessage).toBe("The answer ended before it was complete.");
  expect(message.content).toMatchObject([{ text: "Half a sen" }]);
  expect(isTransient(message)).toBe(true);
});

test("no body at all, and no words at all", async () => {
  const nothing = [START[0], { ...END[1], usage: { output_tokens: 0 } }, END[2]];
  server.answer(sse([]), sse(nothing));
  const { models, model } = claude();
  for (const _ of [1, 2]) {
    const { message } = await hear(models.stream(model, HELLO));
    expect(message.errorMessage).toBe("The answer was empty.");
    expect(isTransient(message)).toBe(true);
  }
});

test("garbage instead of events is an error", async () => {
  server.answer(sse(["{not json"]), (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<html>hello</html>");
  });
  const { models, model } = claude();
  const first = await hear(models.stream(model, HELLO));
  expect(first.message.errorMessage).toContain("JSON parsing failed");
  expect(isTransient(first.message)).toBe(true);
  expect((await hear(models.stream(model, HELLO))).message.stopReason).toBe("error");
});

test("a server that is not there", async () => {
  const { models, model } = claude();
  const gone = await startModelServer();
  await gone[Symbol.asyncDispose]();
  const { message } = await hear(models.stream({ ...model, baseUrl: gone.url }, HELLO));
  expect(message.errorMessage).toMatch(/^Connection failed: /);
  expect(isTransient(message)).toBe(true);
});

test("an abort ends the answer at once, although the server holds the line", async () => {
  server.answer(silentAfter(START));
  const { models, model } = claude();
  const abort = new AbortController();
  const stream = models.stream(model, HELLO, { signal: abort.signal });
  const types: string[] = [];
  for await (const event of stream) {
    types.push(event.type);
    if (event.type === "text_delta") abort.abort();
  }
  expect(types).toEqual(["start", "text_start", "text_delta", "error"]);
  const message = await stream.result();
  expect(message).toMatchObject({ stopReason: "aborted", content: [{ text: "Half a sen" }] });
  expect(failureOf(message)).toEqual({ kind: "aborted" });
});

test("an abort does not wait for a handler that never returns", async () => {
  const { models, model } = claude();
  const abort = new AbortController();
  const onPayload = () => new Promise(() => {});
  const stream = models.stream(model, HELLO, { signal: abort.signal, onPayload });
  setTimeout(() => abort.abort(), 30);
  expect((await hear(stream)).message.stopReason).toBe("aborted");
  expect(server.requests).toHaveLength(0);
});

test("nothing is sent after an abort", async () => {
  const { models, model } = claude();
  const { types } = await hear(models.stream(model, HELLO, { signal: AbortSignal.abort() }));
  expect(types).toEqual(["error"]);
  expect(server.requests).toHaveLength(0);
});

test("what onPayload returns is what is sent", async () => {
  server.answer(sse([...START, ...END]));
  const { models, model } = claude();
  const seen: unknown[] = [];
  const onPayload = async (payload: unknown) => {
    seen.push(payload);
    await new Promise((done) => setTimeout(done, 5));
    return { ...(payload as object), temperature: 0.3, marked: true };
  };
  await hear(models.stream(model, HELLO, { onPayload }));
  expect(seen).toMatchObject([{ model: "claude-sonnet-5-5", stream: true }]);
  expect(server.requests[0]?.body).toMatchObject({ marked: true, temperature: 0.3, stream: true });
});

test("what onPayload changes in place is sent, too", async () => {
  server.answer(sse([...START, ...END]));
  const { models, model } = claude();
  const onPayload = (payload: unknown) => {
    Object.assign(payload as object, { metadata: { user_id: "me" } });
  };
  await hear(models.stream(model, HELLO, { onPayload }));
  expect(server.requests[0]?.body.metadata).toEqual({ user_id: "me" });
});

test("onPayload that throws stops the request", async () => {
  const { models, model } = claude();
  const onPayload = () => {
    throw new Error("not today");
  };
  const { message } = await hear(models.stream(model, HELLO, { onPayload }));
  expect(message).toMatchObject({ stopReason: "error", errorMessage: "not today" });
  expect(server.requests).toHaveLength(0);
});

test("onResponse sees status and headers before the first event, also of a refusal", async () => {
  server.answer(
    sse([...START, ...END], { "x-request-id": "r1" }),
    refuse(529, error("overloaded_error", "Overloaded"), { "x-request-id": "r2" }),
  );
  const { models, model } = claude();
  const order: unknown[] = [];
  const onResponse = async (response: { status: number; headers: Record<string, string> }) => {
    await new Promise((done) => setTimeout(done, 5));
    order.push([response.status, response.headers["x-request-id"]]);
  };
  for (const _ of [1, 2]) {
    for await (const event of models.stream(model, HELLO, { onResponse })) order.push(event.type);
  }
  expect(order[0]).toEqual([200, "r1"]);
  expect(order[1]).toBe("start");
  expect(order.slice(-2)).toEqual([[529, "r2"], "error"]);
});

test("without a key nothing is sent, and the error says which variable to set", async () => {
  const models = lonelyModels({ env: { ANTHROPIC_BASE_URL: server.url } });
  const { message } = await hear(models.stream(models.resolve("claude-sonnet-5-5"), HELLO));
  expect(message.errorMessage).toContain("ANTHROPIC_API_KEY");
  expect(failureOf(message)?.kind).toBe("fatal");
  expect(server.requests).toHaveLength(0);
});

test("an api nobody speaks is named", async () => {
  const { models, model } = claude();
  const { message } = await hear(models.stream({ ...model, api: "morse" }, HELLO));
  expect(message.errorMessage).toContain('"morse"');
  expect(message.errorMessage).toContain("openai-completions");
});

test.each([401, 403])("%s says which key was not accepted, and not what it is", async (status) => {
  server.answer(refuse(status, { error: { message: "no" } }));
  const said = async (models: Models, spec: string, apiKey?: string) => {
    const options = apiKey === undefined ? {} : { apiKey };
    const { message } = await hear(models.stream(models.resolve(spec), HELLO, options));
    expect(failureOf(message)).toMatchObject({ kind: "fatal", status });
    return message.errorMessage;
  };
  const { models } = claude();
  expect(await said(models, "claude-sonnet-5-5")).toBe(
    `HTTP ${status}: no. The key was that of ANTHROPIC_API_KEY: check it.`,
  );
  expect(await said(models, "claude-sonnet-5-5", "given")).toBe(
    `HTTP ${status}: no. Check the key.`,
  );
  const own = lonelyModels({ env: { CORP_KEY: "x" } });
  const base = { baseUrl: server.url, api: "anthropic-messages" };
  own.register("literal", { ...base, apiKey: "sk-secret" });
  own.register("variable", { ...base, apiKey: "CORP_KEY" });
  own.register("keyless", base);
  expect(await said(own, "literal/m")).toMatch(/ The key was that of the apiKey of "literal":/);
  expect(await said(own, "literal/m")).not.toContain("sk-secret");
  expect(await said(own, "variable/m")).toContain("The key was that of CORP_KEY: check it.");
  expect(await said(own, "keyless/m")).toContain("No key was sent.");
});

test.each([
  ["a number", { message: "boom", code: 500 }, "transient"],
  ["a text", { message: "boom", code: "503" }, "transient"],
  ["no message", { code: 500 }, "transient"],
  ["the caller's fault", { message: "boom", code: 400 }, "fatal"],
  ["no status", { message: "boom", code: "bad_thing" }, "fatal"],
])("an error in the stream with a code counts as one of HTTP: %s", async (_, failure, kind) => {
  server.answer(sse([{ error: failure }]));
  const models = lonelyModels();
  models.register("local", { baseUrl: server.url, api: "openai-completions" });
  const { message } = await hear(models.stream(models.resolve("local/m"), HELLO));
  expect(failureOf(message)?.kind).toBe(kind);
});
