import { describe, expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import {
  contextOf,
  DECIDED,
  deferred,
  discover,
  extension,
  idle,
  never,
  said,
  setUp,
  type TestContext,
  toolCall,
  turnStart,
} from "./test-kit.ts";

describe.each(DECIDED)("$kind", ({ event }) => {
  it("an abort brings the decision at once, whatever the running handler does", async () => {
    const { dispatcher, problems } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("stuck"), event.type, never);
    dispatcher.on(extension("later"), event.type, () => void seen.push("later"));
    const controller = new AbortController();
    const decision = dispatcher.emit(event, { signal: controller.signal });
    await idle();
    controller.abort();
    expect(await decision).toMatchObject({ aborted: true });
    expect(seen).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("a signal that has fired already starts nobody", async () => {
    const { dispatcher } = setUp();
    const owner = extension("eager");
    const seen: string[] = [];
    dispatcher.on(owner, event.type, () => void seen.push("eager"));
    const decision = await dispatcher.emit(event, { signal: AbortSignal.abort() });
    expect(decision).toMatchObject({ aborted: true });
    expect(seen).toEqual([]);
    expect(owner.calls).toHaveLength(0);
  });

  it("no handler starts once a handler aborted", async () => {
    const { dispatcher } = setUp();
    const controller = new AbortController();
    const seen: string[] = [];
    dispatcher.on(extension("first"), event.type, () => controller.abort());
    dispatcher.on(extension("later"), event.type, () => void seen.push("later"));
    const decision = await dispatcher.emit(event, { signal: controller.signal });
    expect(decision).toMatchObject({ aborted: true });
    expect(seen).toEqual([]);
  });

  it("no handler starts after an abort between two handlers", async () => {
    const { dispatcher } = setUp();
    const controller = new AbortController();
    const seen: string[] = [];
    const { promise, resolve } = deferred();
    dispatcher.on(extension("first"), event.type, () => promise);
    dispatcher.on(extension("later"), event.type, () => void seen.push("later"));
    const decision = dispatcher.emit(event, { signal: controller.signal });
    resolve();
    controller.abort();
    expect(await decision).toMatchObject({ aborted: true });
    expect(seen).toEqual([]);
  });

  it("a signal that never fires changes nothing", async () => {
    const { dispatcher } = setUp();
    const { signal } = new AbortController();
    dispatcher.on(extension("fine"), event.type, async () => undefined);
    expect(await dispatcher.emit(event, { signal })).toMatchObject({ aborted: false });
  });

  it("a handler that aborts and then rejects does not bring the process down", async () => {
    const { dispatcher } = setUp();
    const controller = new AbortController();
    dispatcher.on(extension("odd"), event.type, async () => {
      controller.abort();
      throw new Error("boom");
    });
    const unhandled: unknown[] = [];
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (reason) => unhandled.push(reason));
    try {
      const decision = await dispatcher.emit(event, { signal: controller.signal });
      expect(decision).toMatchObject({ aborted: true });
      await idle();
      await idle();
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const other of others) process.on("unhandledRejection", other);
    }
    expect(unhandled).toEqual([]);
  });
});

it("an aborted gate counts as blocked", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("stuck"), "tool_call", never);
  const decision = await dispatcher.emit(toolCall(), { signal: AbortSignal.timeout(10) });
  expect(decision).toMatchObject({ blocked: true, aborted: true });
  expect(decision.reason).toMatch(/abort/i);
  expect(decision.by).toBeUndefined();
});

it("a gate of a session that is aborted counts as blocked too", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("stuck"), "session_before_fork", never);
  const event = { type: "session_before_fork", entryId: "e" } as const;
  const decision = await dispatcher.emit(event, { signal: AbortSignal.timeout(10) });
  expect(decision).toMatchObject({ blocked: true, aborted: true });
});

it("what comes after the abort changes nothing and is not reported as late", async () => {
  const { dispatcher, problems } = setUp();
  const controller = new AbortController();
  const { promise, resolve } = deferred<unknown>();
  dispatcher.on(extension("slow"), "context", () => promise, { deadlineMs: 20 });
  const pending = dispatcher.emit(contextOf("a"), { signal: controller.signal });
  controller.abort();
  const decision = await pending;
  resolve({ messages: [said("late")] });
  await new Promise((done) => setTimeout(done, 60));
  expect(decision).toEqual({ event: contextOf("a"), changedBy: [], aborted: true });
  expect(problems).toEqual([]);
  expect(dispatcher.report()).toMatchObject([{ calls: 1, errors: 0, timeouts: 0 }]);
});

it("an error after the abort is not reported", async () => {
  const { dispatcher, problems } = setUp();
  const controller = new AbortController();
  const { promise, reject } = deferred<unknown>();
  dispatcher.on(extension("slow"), "tool_call", () => promise);
  const pending = dispatcher.emit(toolCall(), { signal: controller.signal });
  controller.abort();
  await pending;
  reject(new Error("late"));
  await idle();
  expect(problems).toEqual([]);
});

it("the handler's signal fires with the reason of the abort", async () => {
  const { dispatcher } = setUp();
  const controller = new AbortController();
  const signals: AbortSignal[] = [];
  dispatcher.on(extension("slow"), "tool_call", (_: unknown, { call }: TestContext) => {
    signals.push(call.signal);
    return never();
  });
  const pending = dispatcher.emit(toolCall(), { signal: controller.signal });
  expect(signals[0]?.aborted).toBe(false);
  controller.abort("the user pressed escape");
  await pending;
  expect(signals[0]?.aborted).toBe(true);
  expect(signals[0]?.reason).toBe("the user pressed escape");
});

it("what was changed and found before the abort is kept", async () => {
  const { dispatcher } = setUp();
  const slow = extension("slow");
  const quick = extension("quick");
  dispatcher.on(quick, "context", ({ messages }: EventMap["context"]) => {
    messages.push(said("b"));
  });
  dispatcher.on(quick, "resources_discover", () => ({ skillPaths: ["/a"] }));
  dispatcher.on(slow, "context", never);
  dispatcher.on(slow, "resources_discover", never);
  const signal = AbortSignal.timeout(10);
  const [changed, found] = await Promise.all([
    dispatcher.emit(contextOf("a"), { signal }),
    dispatcher.emit(discover(), { signal }),
  ]);
  expect(changed).toMatchObject({ aborted: true, event: contextOf("a", "b") });
  expect(found).toMatchObject({ aborted: true, results: [{ by: "quick" }] });
});

it("an abort does not wait for an extension that is still busy observing", async () => {
  const { dispatcher } = setUp({ catchUpMs: 60_000 });
  const busy = extension("busy");
  const seen: string[] = [];
  dispatcher.on(busy, "turn_start", never);
  dispatcher.on(busy, "tool_call", () => void seen.push("tool_call"));
  dispatcher.emit(turnStart());
  const controller = new AbortController();
  const decision = dispatcher.emit(toolCall(), { signal: controller.signal });
  await idle();
  controller.abort();
  expect(await decision).toMatchObject({ aborted: true, blocked: true });
  expect(seen).toEqual([]);
});

it("a dispatch that is over no longer listens to the signal", async () => {
  const { dispatcher } = setUp();
  const controller = new AbortController();
  const { signal } = controller;
  let listening = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening--;
    remove(...args);
  };
  dispatcher.on(extension("quick"), "tool_call", async () => undefined);
  await dispatcher.emit(toolCall(), { signal });
  await dispatcher.emit(toolCall(), { signal });
  expect(listening).toBe(0);
});
