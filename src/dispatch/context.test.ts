import { describe, expect, it } from "vitest";
import {
  beforeFork,
  deferred,
  extension,
  idle,
  setUp,
  type TestContext,
  toolCall,
  turnStart,
} from "./test-kit.ts";

it("handlers that return at once share two contexts: one to observe with, one to decide with", async () => {
  const { dispatcher } = setUp();
  const owner = extension("quick");
  dispatcher.on(owner, "turn_start", () => {});
  dispatcher.on(owner, "tool_call", () => {});
  for (let i = 0; i < 100; i++) dispatcher.emit(turnStart(i));
  expect(owner.calls).toHaveLength(1);
  for (let i = 0; i < 100; i++) await dispatcher.emit(toolCall());
  expect(owner.calls).toHaveLength(2);
});

it("observers that return a promise share one as well", async () => {
  const { dispatcher } = setUp();
  const owner = extension("async");
  dispatcher.on(owner, "turn_start", async () => {});
  for (let i = 0; i < 100; i++) dispatcher.emit(turnStart(i));
  await dispatcher.settled();
  expect(owner.calls).toHaveLength(1);
});

it("a context that cannot be made is a failure of its extension, not of the emitter", async () => {
  const { dispatcher, problems } = setUp();
  const owner = {
    name: "broken",
    path: "/extensions/broken.ts",
    createContext: () => {
      throw new Error("no context");
    },
  };
  dispatcher.on(owner, "turn_start", () => {});
  dispatcher.on(owner, "tool_call", () => {});
  dispatcher.emit(turnStart());
  const decision = await dispatcher.emit(toolCall());
  expect(decision).toMatchObject({ blocked: true, failed: true, by: "broken" });
  expect(problems).toHaveLength(2);
});

it("each extension has its own", () => {
  const { dispatcher } = setUp();
  const [a, b] = [extension("a"), extension("b")];
  const seen: unknown[] = [];
  for (const owner of [a, b]) {
    dispatcher.on(owner, "turn_start", (_: unknown, { call }: TestContext) => seen.push(call));
  }
  dispatcher.emit(turnStart());
  expect(seen).toEqual([a.calls[0], b.calls[0]]);
  expect(seen[0]).not.toBe(seen[1]);
});

it("a handler that waits keeps its context to itself", async () => {
  const { dispatcher } = setUp();
  const owner = extension("slow");
  const { promise, resolve } = deferred();
  const calls: unknown[] = [];
  dispatcher.on(owner, "tool_call", (_: unknown, { call }: TestContext) => {
    calls.push(call);
    return promise;
  });
  const decisions = [dispatcher.emit(toolCall()), dispatcher.emit(toolCall())];
  expect(calls[0]).not.toBe(calls[1]);
  resolve();
  await Promise.all(decisions);
});

it("one handler's end does not fire the signal of another that is still running", async () => {
  const { dispatcher } = setUp();
  const owner = extension("slow");
  const { promise, resolve } = deferred();
  const signals: AbortSignal[] = [];
  dispatcher.on(owner, "tool_call", async (_: unknown, { call }: TestContext) => {
    signals.push(call.signal);
    await (signals.length === 1 ? promise : idle());
  });
  const first = dispatcher.emit(toolCall());
  await dispatcher.emit(toolCall());
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  resolve();
  await first;
});

it("nor does the end of a handler that it called itself", async () => {
  const { dispatcher } = setUp();
  const owner = extension("nesting");
  const fired: boolean[] = [];
  dispatcher.on(owner, "session_before_fork", async () => {
    await idle();
  });
  // Leaves a context behind that the next handler may have.
  dispatcher.on(owner, "turn_start", () => {});
  dispatcher.emit(turnStart());
  dispatcher.on(owner, "tool_call", async (_: unknown, { call }: TestContext) => {
    await dispatcher.emit(beforeFork());
    fired.push(call.signal.aborted);
  });
  await dispatcher.emit(toolCall());
  expect(fired).toEqual([false]);
});

describe("a context that cannot be made", () => {
  const broken = {
    ...extension("broken"),
    createContext: () => {
      throw new Error("no context");
    },
  };

  it("is a problem of its extension; the others go on, also with the next event", () => {
    const { dispatcher, problems } = setUp();
    const seen: number[] = [];
    dispatcher.on(broken, "turn_start", () => {});
    dispatcher.on(extension("fine"), "turn_start", ({ turnIndex }: { turnIndex: number }) => {
      seen.push(turnIndex);
    });
    for (const i of [0, 1]) expect(() => dispatcher.emit(turnStart(i))).not.toThrow();
    expect(seen).toEqual([0, 1]);
    expect(problems.map(({ owner }) => owner)).toEqual([broken, broken]);
  });

  it("blocks a tool call, naming the extension", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(broken, "tool_call", () => {});
    const decide = async () => dispatcher.emit(toolCall());
    await expect(decide()).resolves.toMatchObject({ blocked: true, failed: true, by: "broken" });
  });
});
