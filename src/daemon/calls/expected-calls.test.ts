import { expect, it, vi } from "vitest";
import type { Reading } from "../../agents/index.ts";
import type { Session } from "../sessions/session.ts";
import { expectCalls, isExpected, takeExpected } from "./expected-calls.ts";

const session = () => ({ expectedCalls: [] }) as unknown as Session;
const asked = (input: Record<string, unknown>): Reading => ({
  sessionId: "s",
  tools: [
    { name: "deploy", nativeName: "x", input, nativeInput: input, callId: "c", isSeams: true },
  ],
});
const events = [{ type: "tool_call" }] as never;

it("a call that a hook asked about is expected once, with just these parameters", () => {
  const one = session();
  expectCalls({ session: one, reading: asked({ env: "test" }), events }, {});
  expect(isExpected(one, "deploy", { env: "prod" })).toBe(false);
  expect(takeExpected(one, "deploy", { env: "prod" })).toBe(false);
  expect(takeExpected(one, "deploy", { env: "test" })).toBe(true);
  expect(takeExpected(one, "deploy", { env: "test" })).toBe(false);
});

it("what a handler changed is expected as it was changed", () => {
  const one = session();
  expectCalls(
    { session: one, reading: asked({ env: "prod" }), events },
    { input: { env: "test" } },
  );
  expect(takeExpected(one, "deploy", { env: "test" })).toBe(true);
});

it("what was stopped, or what the agent's own dialog decides, is not expected", () => {
  const one = session();
  const reason = { reason: "no" };
  expectCalls({ session: one, reading: asked({}), events }, { block: reason });
  expectCalls({ session: one, reading: asked({}), events }, { ask: reason });
  expect(takeExpected(one, "deploy", {})).toBe(false);
});

it("a call that does not come soon is not expected any more", () => {
  vi.useFakeTimers();
  const one = session();
  expectCalls({ session: one, reading: asked({}), events }, {});
  vi.advanceTimersByTime(61_000);
  expect(isExpected(one, "deploy", {})).toBe(false);
  vi.useRealTimers();
});
