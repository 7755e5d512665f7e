import { expect, test } from "vitest";
import { failureOf } from "./failure.ts";
import { failureText } from "./failure-text.ts";

const failed = (errorMessage: string) => failureOf({ stopReason: "error", errorMessage });

test("an answer that did not fail has no failure", () => {
  for (const stopReason of ["stop", "length", "toolUse"] as const) {
    expect(failureOf({ stopReason, errorMessage: "429" })).toBeUndefined();
  }
});

test.each([
  "429 Too Many Requests",
  'Error code: 429 - {"error": "rate_limit"}',
  "overloaded_error: Overloaded",
  "503 Service Unavailable",
  "fetch failed",
  "read ECONNRESET",
  "socket hang up",
  "terminated",
  "Request timed out.",
  "ThrottlingException: Too many tokens, please wait before trying again.",
  "The server had an error while processing your request (server_error)",
])("worth another try, in whoever's words: %s", (text) => {
  expect(failed(text)?.kind).toBe("transient");
});

test.each([
  "prompt is too long: 213462 tokens > 200000 maximum",
  "Your input exceeds the context window of this model",
  "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
  "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
  "the request exceeds the available context size, try increasing it",
  "HTTP 400: context_length_exceeded",
  "Please reduce the length of the messages or completion",
  "The input (9 tokens) is longer than the model's context length (8 tokens).",
])("too long for the model: %s", (text) => {
  expect(failed(text)?.kind).toBe("overflow");
});

test.each([
  "HTTP 401: invalid x-api-key",
  "HTTP 429: You exceeded your current quota (insufficient_quota)",
  "HTTP 400: Your credit balance is too low to access the API",
  "HTTP 404: The model does not exist",
  "HTTP 422: nonsense",
  "",
])("not worth another try: %s", (text) => {
  expect(failed(text)?.kind).toBe("fatal");
});

test.each([
  ["HTTP 429: slow (retry after 12 s)", 12_000],
  ["Please try again in 250ms.", 250],
  ["Please retry in 1.5s", 1_500],
  ["Try again in 2m", 120_000],
])("the wait is read from %s", (text, ms) => {
  expect(failed(text)?.retryAfterMs).toBe(ms);
});

test.each([
  [{ "retry-after-ms": "1500" }, "1.5"],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, "20"],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }, "0"],
])("Retry-After as the provider wrote it: %o", (responseHeaders, seconds) => {
  const thrown = { statusCode: 429, responseHeaders, message: "slow" };
  expect(failureText(thrown, 10_000)).toBe(`HTTP 429: slow (retry after ${seconds} s)`);
});

test("whatever is thrown has a text", () => {
  for (const thrown of [undefined, null, "text", 7, {}, [], new Error("boom"), Symbol("s")]) {
    expect(failureText(thrown)).toEqual(expect.any(String));
  }
  const loop: { cause?: unknown; code: string } = { code: "ELOOP" };
  loop.cause = loop;
  expect(failureText({ cause: loop })).toBe("Connection failed: (ELOOP)");
});
