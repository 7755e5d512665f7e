import { describe, expect, it } from "vitest";
import { PipeState } from "./pipe-state.ts";

function pipe() {
  const told: Record<string, unknown>[] = [];
  const state = new PipeState((line) => told.push(JSON.parse(line)));
  const say = (message: object) => state.said(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const hear = (message: object) => state.heard(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const begin = () => state.begin().map((line) => JSON.parse(line));
  return { told, state, say, hear, begin };
}

const HELLO = { id: 0, method: "initialize", params: { protocolVersion: "2025-06-18" } };

describe("what a client says", () => {
  it("reaches the next daemon if it was not answered, after the greeting that the client gave", () => {
    const { state, say, hear, begin, told } = pipe();
    say(HELLO);
    expect(begin()).toMatchObject([{ id: 0, method: "initialize" }]);
    hear({ id: 0, result: {} });
    say({ method: "notifications/initialized" });
    say({ id: 1, method: "tools/list" });
    expect(state.lost()).toBe(true);
    const [hello, initialized, list] = begin();
    expect(hello).toMatchObject({ ...HELLO, id: "seam-again-2" });
    expect(initialized).toMatchObject({ method: "notifications/initialized" });
    expect(list).toMatchObject({ id: 1, method: "tools/list" });
    hear({ id: "seam-again-2", result: {} });
    hear({ id: 1, result: { tools: [] } });
    // The client never hears of the second greeting.
    expect(told.map(({ id }) => id)).toEqual([0, 1]);
  });

  it("needs no daemon while nobody waits", () => {
    const { state, say, hear, begin } = pipe();
    say(HELLO);
    begin();
    hear({ id: 0, result: {} });
    expect(state.lost()).toBe(false);
  });

  it("is not done again once it has begun", () => {
    const { state, say, begin, told } = pipe();
    begin();
    say({ id: "a", method: "tools/call" });
    state.heard('{"seam":"began","id":"a"}');
    expect(state.lost()).toBe(false);
    expect(begin()).toEqual([]);
    expect(told).toMatchObject([{ id: "a", error: { code: -32603 } }]);
  });

  it("does not end one daemon after the other", () => {
    const { state, say, begin, told } = pipe();
    say({ id: 1, method: "tools/list" });
    begin();
    expect([state.lost(), state.lost(), state.lost()]).toEqual([true, true, false]);
    expect(told).toMatchObject([{ id: 1, error: {} }]);
  });

  it("is forgotten when the client cancels it", () => {
    const { state, say, begin } = pipe();
    begin();
    say({ id: 1, method: "tools/call" });
    say({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect(state.lost()).toBe(false);
  });

  it("that makes no sense, or far too much of it, is refused here", () => {
    const { state, say, told } = pipe();
    expect(state.said("{")).toBeUndefined();
    expect(say({ id: 7, method: "x", params: { a: "x".repeat(9_000_000) } })).toBeUndefined();
    expect(told).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 7, error: { code: -32600 } },
    ]);
  });
});

describe("what a daemon asks the client", () => {
  it("is answered to the daemon that asked, and withdrawn when that one is gone", () => {
    const { state, say, hear, begin, told } = pipe();
    begin();
    hear({ id: 0, method: "elicitation/create" });
    expect(told).toMatchObject([{ id: "seam-1-0", method: "elicitation/create" }]);
    expect(JSON.parse(say({ id: "seam-1-0", result: {} }) ?? "")).toMatchObject({ id: 0 });
    hear({ id: 1, method: "elicitation/create" });
    state.lost();
    expect(told.at(-1)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: "seam-1-1" },
    });
    begin();
    hear({ id: 0, method: "elicitation/create" });
    expect(told.at(-1)).toMatchObject({ id: "seam-2-0" });
    // What the client answers to the one before is for nobody.
    expect(say({ id: "seam-1-1", result: {} })).toBeUndefined();
  });
});

it("a subscription goes on with the next daemon, and is acknowledged to the client once", () => {
  const { state, say, hear, begin, told } = pipe();
  const acknowledged = {
    method: "notifications/subscriptions/acknowledged",
    params: { _meta: { "io.modelcontextprotocol/subscriptionId": 4 } },
  };
  say({ id: 4, method: "subscriptions/listen" });
  begin();
  hear(acknowledged);
  expect(state.lost()).toBe(true);
  expect(begin()).toMatchObject([{ id: 4, method: "subscriptions/listen" }]);
  hear(acknowledged);
  expect(told).toHaveLength(1);
});
