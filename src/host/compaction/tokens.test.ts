import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentMessage } from "../../events/index.ts";
import { assistant, call, result, user } from "./test-kit.ts";
import { contextTokens, estimateTokens } from "./tokens.ts";

test("text costs a token for four characters, an image 1200", () => {
  expect(estimateTokens(user("x".repeat(400)))).toBe(100);
  const image = { type: "image" as const, data: "A".repeat(100_000), mimeType: "image/png" };
  const both = [{ type: "text" as const, text: "1234" }, image];
  expect(estimateTokens({ role: "user", content: both, timestamp: 0 })).toBe(1_201);
});

test("an answer costs its text, its thoughts and its tool calls with their arguments", () => {
  const message = assistant([
    { type: "text", text: "x".repeat(40) },
    { type: "thinking", thinking: "x".repeat(40) },
    call("c", "read", { path: "x".repeat(29) }),
  ]);
  expect(estimateTokens(message)).toBe(20 + (4 + 40) / 4 + 0);
});

test("what is never sent costs nothing", () => {
  const hidden: AgentMessage = {
    role: "bashExecution",
    command: "env",
    output: "x".repeat(4_000),
    exitCode: 0,
    cancelled: false,
    truncated: false,
    excludeFromContext: true,
    timestamp: 0,
  };
  expect(estimateTokens(hidden)).toBe(0);
  expect(estimateTokens({ ...hidden, excludeFromContext: false })).toBe(1_001);
});

test("a damaged message can be measured", () => {
  const damaged: unknown = { role: "user", timestamp: 0 };
  const foreign: unknown = { role: "system", content: "You are" };
  expect(estimateTokens(damaged as AgentMessage)).toBe(0);
  expect(estimateTokens(foreign as AgentMessage)).toBe(0);
});

test("the provider's count of the last answer is taken, and the rest estimated", () => {
  const messages = [
    user("x".repeat(40_000)),
    assistant([call("c", "read")], { total: 5_000, stopReason: "toolUse", timestamp: 1 }),
    result("c", "x".repeat(800)),
  ];
  expect(contextTokens(messages)).toBe(5_200);
});

test.each(["aborted", "error"] as const)(
  "the count of an answer that ended as %s is not used",
  (stopReason) => {
    const messages = [
      assistant("fine", { total: 5_000, timestamp: 1 }),
      user("x".repeat(400)),
      assistant("x".repeat(40), { total: 77, stopReason, timestamp: 2 }),
    ];
    expect(contextTokens(messages)).toBe(5_110);
  },
);

test("a provider that counts nothing is estimated", () => {
  expect(contextTokens([user("x".repeat(400)), assistant("x".repeat(40), { timestamp: 1 })])).toBe(
    110,
  );
});

test("an answer kept over a compaction does not report the size from before it", () => {
  const summary: AgentMessage = {
    role: "compactionSummary",
    summary: "x".repeat(400),
    tokensBefore: 190_000,
    timestamp: 10,
  };
  const kept = [
    summary,
    user("x".repeat(40)),
    assistant("x".repeat(40), { total: 190_000, timestamp: 9 }),
  ];
  expect(contextTokens(kept)).toBe(120);
  expect(contextTokens([...kept, assistant("new", { total: 900, timestamp: 11 })])).toBe(900);
});

test("a context without counts costs the sum of its messages", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const messages = texts.map((text) => user(text));
      const sum = messages.reduce((total, message) => total + estimateTokens(message), 0);
      expect(contextTokens(messages)).toBe(sum);
    }),
  );
});
