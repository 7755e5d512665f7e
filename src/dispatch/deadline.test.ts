import { describe, expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import {
  contextOf,
  DECIDED,
  deferred,
  extension,
  idle,
  never,
  said,
  setUp,
  sleep,
  type TestContext,
  toolCall,
} from "./test-kit.ts";

it.each(DECIDED)(
  "a handler that never returns is passed after its deadline: $kind",
  async ({ event }) => {
    const { dispatcher, problems } = setUp();
    const slow = extension("slow");
    dispatcher.on(slow, event.type, never, { deadlineMs: 20 });
    expect(await dispatcher.emit(event)).toMatchObject({ aborted: false });
    expect(problems).toMatchObject([
      { error: { code: "SEAM_HANDLER_TIMEOUT" }, owner: slow, event: event.type },
    ]);
  },
);

it("the problem says which deadline was missed", async () => {
  const { dispatcher, problems } = setUp();
  dispatcher.on(extension("slow"), "tool_call", never, { deadlineMs: 20 });
  await dispatcher.emit(toolCall());
  expect(problems[0]?.error.message).toMatch(/slow.*tool_call.*20 ms/);
});

it("the settings' deadline takes the place of the declared one", async () => {
  const { dispatcher, problems } = setUp({ deadlines: { tool_call: 20 } });
  dispatcher.on(extension("slow"), "tool_call", never);
  await dispatcher.emit(toolCall());
  expect(problems[0]?.error.details.ms).toBe(20);
});

it("the handler's own deadline takes the place of the settings' one", async () => {
  const { dispatcher, problems } = setUp({ deadlines: { tool_call: 60_000 } });
  dispatcher.on(extension("slow"), "tool_call", never, { deadlineMs: 20 });
  await dispatcher.emit(toolCall());
  expect(problems[0]?.error.details.ms).toBe(20);
});

it("a handler given more time than the settings allow has it", async () => {
  const { dispatcher, problems } = setUp({ deadlines: { tool_call: 20 } });
  dispatcher.on(extension("patient"), "tool_call", () => sleep(120), { deadlineMs: 60_000 });
  expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: false });
  expect(problems).toEqual([]);
});

it("each handler has a deadline of its own", async () => {
  const { dispatcher, problems } = setUp();
  const shared = extension("shared");
  dispatcher.on(shared, "session_before_fork", never, { deadlineMs: 20 });
  dispatcher.on(shared, "session_before_fork", never, { deadlineMs: 40 });
  await dispatcher.emit({ type: "session_before_fork", entryId: "e" });
  expect(problems.map(({ error }) => error.details.ms)).toEqual([20, 40]);
});

it("a result that comes too late changes nothing and is not reported again", async () => {
  const { dispatcher, problems } = setUp();
  const { promise, resolve } = deferred<unknown>();
  dispatcher.on(extension("slow"), "context", () => promise, { deadlineMs: 20 });
  const decision = await dispatcher.emit(contextOf("a"));
  resolve({ messages: [said("late")] });
  await idle();
  expect(decision.event).toEqual(contextOf("a"));
  expect(problems).toHaveLength(1);
});

it("an edit that comes too late changes nothing", async () => {
  const { dispatcher } = setUp();
  const kept: EventMap["context"][] = [];
  const slow = (event: EventMap["context"]) => {
    kept.push(event);
    return never();
  };
  dispatcher.on(extension("slow"), "context", slow, { deadlineMs: 20 });
  const decision = await dispatcher.emit(contextOf("a"));
  kept[0]?.messages.push(said("late"));
  expect(decision.event).toEqual(contextOf("a"));
});

it("an error that comes too late is not reported again", async () => {
  const { dispatcher, codes } = setUp();
  const { promise, reject } = deferred<unknown>();
  dispatcher.on(extension("slow"), "context", () => promise, { deadlineMs: 20 });
  await dispatcher.emit(contextOf("a"));
  reject(new Error("late"));
  await idle();
  expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
});

it("the handler's signal fires when its deadline has passed", async () => {
  const { dispatcher } = setUp();
  const signals: AbortSignal[] = [];
  const slow = (_: unknown, { call }: TestContext) => {
    signals.push(call.signal);
    expect(call.signal.aborted).toBe(false);
    return never();
  };
  dispatcher.on(extension("slow"), "tool_call", slow, { deadlineMs: 20 });
  await dispatcher.emit(toolCall());
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it("a signal asked for after the deadline has fired already", async () => {
  const { dispatcher } = setUp();
  const slow = extension("slow");
  dispatcher.on(slow, "tool_call", never, { deadlineMs: 20 });
  await dispatcher.emit(toolCall());
  expect(slow.calls[0]?.signal.aborted).toBe(true);
});

describe("waiting for a person", () => {
  const ask = async (call: TestContext["call"], ms: number) => {
    const answered = call.waitForPerson();
    await sleep(ms);
    answered();
  };

  it("stops the clock", async () => {
    const { dispatcher, problems } = setUp();
    const guard = async (_: unknown, { call }: TestContext) => {
      await ask(call, 150);
      return { block: true, reason: "the user said no" };
    };
    dispatcher.on(extension("guard"), "tool_call", guard, { deadlineMs: 30 });
    expect(await dispatcher.emit(toolCall())).toMatchObject({ reason: "the user said no" });
    expect(problems).toEqual([]);
  });

  it("stops it until the last of several questions is answered, each counted once", async () => {
    const { dispatcher, problems } = setUp();
    const guard = async (_: unknown, { call }: TestContext) => {
      const first = call.waitForPerson();
      const second = call.waitForPerson();
      first();
      first();
      await sleep(150);
      second();
    };
    dispatcher.on(extension("guard"), "tool_call", guard, { deadlineMs: 30 });
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: false });
    expect(problems).toEqual([]);
  });

  it("does not stop it for what the handler does afterwards", async () => {
    const { dispatcher, codes } = setUp();
    const guard = async (_: unknown, { call }: TestContext) => {
      await ask(call, 50);
      await never();
    };
    dispatcher.on(extension("guard"), "tool_call", guard, { deadlineMs: 30 });
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: true, failed: true });
    expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
  });

  it("does not stop the clock of another handler", async () => {
    const { dispatcher, codes } = setUp();
    const forgetful = extension("forgetful");
    // Asks without waiting for the answer, and returns at once.
    dispatcher.on(forgetful, "tool_call", (_: unknown, { call }: TestContext) => {
      call.waitForPerson();
    });
    dispatcher.on(forgetful, "tool_call", never, { deadlineMs: 20 });
    const controller = new AbortController();
    const decision = dispatcher.emit(toolCall(), { signal: controller.signal });
    const first = await Promise.race([decision, sleep(60_000)]);
    controller.abort();
    await decision;
    expect(first).toMatchObject({ blocked: true, failed: true });
    expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
  });

  it("can be broken off by an abort", async () => {
    const { dispatcher } = setUp();
    const guard = async (_: unknown, { call }: TestContext) => {
      call.waitForPerson();
      await never();
    };
    dispatcher.on(extension("guard"), "tool_call", guard, { deadlineMs: 30 });
    const controller = new AbortController();
    const decision = dispatcher.emit(toolCall(), { signal: controller.signal });
    controller.abort();
    expect(await decision).toMatchObject({ aborted: true });
  });
});
