import { afterEach, expect, it, vi } from "vitest";
import {
  beforeFork,
  contextOf,
  extension,
  never,
  said,
  setUp,
  toolCall,
  turnStart,
} from "./test-kit.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("every handler is listed with its extension, path and event, also before its first call", () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("a"), "turn_start", () => {});
  expect(dispatcher.report()).toEqual([
    {
      owner: "a",
      path: "/extensions/a.ts",
      event: "turn_start",
      calls: 0,
      errors: 0,
      timeouts: 0,
      timed: 0,
      totalMs: 0,
      maxMs: 0,
    },
  ]);
});

it("calls are counted per handler", () => {
  const { dispatcher } = setUp();
  const a = extension("a");
  const off = dispatcher.on(a, "turn_start", () => {});
  dispatcher.emit(turnStart());
  dispatcher.on(a, "turn_start", () => {});
  dispatcher.emit(turnStart());
  expect(dispatcher.report().map(({ calls }) => calls)).toEqual([2, 1]);
  off();
  expect(dispatcher.report()).toHaveLength(1);
});

it("a handler that was not asked has no call", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("guard"), "tool_call", () => ({ block: true }));
  dispatcher.on(extension("later"), "tool_call", () => {});
  await dispatcher.emit(toolCall());
  expect(dispatcher.report()).toMatchObject([
    { owner: "guard", calls: 1 },
    { owner: "later", calls: 0 },
  ]);
});

it("throwing, rejecting, nonsense and a refused change are errors", async () => {
  const { dispatcher } = setUp();
  const a = extension("a");
  const boom = () => {
    throw new Error("boom");
  };
  dispatcher.on(a, "session_before_fork", boom);
  dispatcher.on(a, "session_before_fork", async () => boom());
  dispatcher.on(a, "session_before_fork", () => "nonsense");
  dispatcher.on(a, "message_end", () => ({ message: { ...said("x"), role: "custom" } }));
  await dispatcher.emit(beforeFork());
  await dispatcher.emit({ type: "message_end", message: said("x") });
  expect(
    dispatcher.report().map(({ calls, errors, timeouts }) => [calls, errors, timeouts]),
  ).toEqual([
    [1, 1, 0],
    [1, 1, 0],
    [1, 1, 0],
    [1, 1, 0],
  ]);
});

it("a missed deadline is an error and a timeout", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("slow"), "context", never, { deadlineMs: 20 });
  await dispatcher.emit(contextOf("a"));
  expect(dispatcher.report()).toMatchObject([{ calls: 1, errors: 1, timeouts: 1, timed: 1 }]);
});

it("an abort is neither", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("slow"), "context", never);
  await dispatcher.emit(contextOf("a"), { signal: AbortSignal.timeout(10) });
  expect(dispatcher.report()).toMatchObject([{ calls: 1, errors: 0, timeouts: 0 }]);
});

it("every call that waits is timed, of those that do not only a sample", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("sync"), "tool_call", () => {});
  dispatcher.on(extension("async"), "tool_call", async () => {});
  for (let i = 0; i < 130; i++) await dispatcher.emit(toolCall());
  const [sync, async_] = dispatcher.report();
  expect(sync).toMatchObject({ calls: 130, timed: 3 });
  expect(async_).toMatchObject({ calls: 130, timed: 130 });
});

it("of observers only a sample is timed, unless the last one that was took long", async () => {
  const { dispatcher } = setUp();
  let clock = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  dispatcher.on(extension("quick"), "turn_start", async () => {});
  dispatcher.on(extension("slow"), "turn_start", async () => {
    await Promise.resolve();
    clock += 5;
  });
  for (let i = 0; i < 130; i++) {
    dispatcher.emit(turnStart(i));
    await dispatcher.settled();
  }
  const [quick, slow] = dispatcher.report();
  expect(quick).toMatchObject({ calls: 130, timed: 3 });
  expect(slow).toMatchObject({ calls: 130, timed: 130, totalMs: 650, maxMs: 5 });
});

it("time adds up and the longest call is kept", async () => {
  const { dispatcher } = setUp();
  let clock = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  dispatcher.on(extension("a"), "tool_call", async (event: { input: { ms: number } }) => {
    clock += event.input.ms;
  });
  for (const ms of [5, 30, 10]) await dispatcher.emit(toolCall({ ms }));
  expect(dispatcher.report()).toMatchObject([{ timed: 3, totalMs: 45, maxMs: 30 }]);
});
