import { describe, expect, it } from "vitest";
import type { ScriptedTurn } from "./models/index.ts";
import {
  type HostedOptions,
  hosted,
  storedMessages,
  testProject,
  textsOf,
} from "./test-kit/index.ts";

const project = testProject();

async function ask(turns: readonly ScriptedTurn[], options: HostedOptions = {}) {
  const host = await hosted({ cwd: project.root, turns, ...options });
  await host.agent.prompt("go");
  return host;
}

const failing = (status: number, message = "trouble"): ScriptedTurn => ({
  error: { message, status },
});
const stops = (host: Awaited<ReturnType<typeof ask>>) =>
  storedMessages(host.agent).flatMap((one) => (one.role === "assistant" ? [one.stopReason] : []));

describe("a failure that passes", () => {
  it.each([
    ["429", failing(429)],
    ["500", failing(500)],
    ["529", failing(529)],
    ["an empty answer", {}],
    [
      "a stream that is cut",
      { text: "half of it", error: { message: "socket hang up", after: 4 } },
    ],
  ])("%s is tried again until it works", async (_, failure) => {
    const host = await ask([failure, { text: "fine" }]);
    expect(host.requests).toHaveLength(2);
    expect(stops(host)).toEqual(["error", "stop"]);
    expect(host.of("auto_retry_start")).toMatchObject([{ attempt: 1, maxAttempts: 3 }]);
    expect(host.of("auto_retry_start")[0]?.errorMessage).not.toBe("");
    expect(host.of("auto_retry_end")).toMatchObject([{ success: true, attempt: 1 }]);
    expect(host.of("auto_retry_end")[0]).not.toHaveProperty("finalError");
  });

  it("is kept in the session and not sent to the model again", async () => {
    const host = await ask([
      { text: "half of it", error: { message: "socket hang up", after: 4 } },
      { text: "fine" },
    ]);
    expect(textsOf(storedMessages(host.agent))).toEqual(["go", "half", "fine"]);
    expect(textsOf(host.requests[1]?.messages)).toEqual(["go"]);
  });

  it("is waited for longer and longer", async () => {
    const turns = [failing(500), failing(500), failing(500), { text: "fine" }];
    const host = await ask(turns, { retry: { baseDelayMs: 1 } });
    const delays = host.of("auto_retry_start").map(({ delayMs }) => delayMs);
    expect(delays).toEqual([1, 2, 4]);
    expect(host.of("auto_retry_end")).toMatchObject([{ success: true, attempt: 3 }]);
  });

  it("is waited for as long as the provider asks, up to the limit", async () => {
    const turns = [
      failing(429, "retry after 5 ms"),
      failing(429, "retry after 1 s"),
      { text: "fine" },
    ];
    const host = await ask(turns, { retry: { baseDelayMs: 1, maxDelayMs: 8 } });
    expect(host.of("auto_retry_start").map(({ delayMs }) => delayMs)).toEqual([5, 8]);
  });

  it("that does not pass is given up after the last attempt", async () => {
    const turns = [failing(500), failing(500), failing(500), { text: "too late" }];
    const host = await ask(turns, { retry: { maxRetries: 2, baseDelayMs: 1 } });
    expect(host.requests).toHaveLength(3);
    expect(stops(host)).toEqual(["error", "error", "error"]);
    expect(host.of("auto_retry_end")).toMatchObject([
      { success: false, attempt: 2, finalError: expect.stringContaining("trouble") },
    ]);
    expect(host.of("agent_settled")).toMatchObject([{ aborted: false }]);
  });

  it("is not tried again when nobody wants that", async () => {
    const host = await ask([failing(500), { text: "fine" }], { retry: { maxRetries: 0 } });
    expect(host.requests).toHaveLength(1);
    expect(host.of("auto_retry_start")).toEqual([]);
    expect(host.of("auto_retry_end")).toEqual([]);
  });
});

describe("a failure that does not pass", () => {
  it.each([
    ["401", failing(401, "invalid key")],
    ["400", failing(400, "bad request")],
    ["a 429 about money", failing(429, "insufficient_quota")],
  ])("%s is not tried again, and the agent can be asked something else", async (_, failure) => {
    const host = await ask([failure, { text: "fine" }]);
    expect(host.requests).toHaveLength(1);
    expect(host.of("auto_retry_start")).toEqual([]);
    await host.agent.prompt("and now?");
    expect(stops(host)).toEqual(["error", "stop"]);
    expect(textsOf(host.requests[1]?.messages)).toEqual(["go", "and now?"]);
  });
});

describe("attempts of different calls", () => {
  it("are counted from the beginning for each", async () => {
    const host = await ask([
      failing(500),
      { toolCalls: [{ name: "ls" }] },
      failing(500),
      { text: "fine" },
    ]);
    expect(host.of("auto_retry_start").map(({ attempt }) => attempt)).toEqual([1, 1]);
  });
});
