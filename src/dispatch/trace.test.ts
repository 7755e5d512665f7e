import { afterEach, expect, it, vi } from "vitest";
import { extension, never, setUp, toolCall } from "./test-kit.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("nobody asked, nothing is noted", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("a"), "tool_call", () => {});
  expect(await dispatcher.emit(toolCall())).not.toHaveProperty("trace");
});

it("says who said what, in order", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("silent"), "session_before_fork", () => {});
  dispatcher.on(extension("broken"), "session_before_fork", async () => {
    throw new Error("boom");
  });
  dispatcher.on(extension("guard"), "session_before_fork", async () => ({ cancel: true }));
  dispatcher.on(extension("later"), "session_before_fork", () => {});
  const event = { type: "session_before_fork", entryId: "e" } as const;
  const { trace } = await dispatcher.emit(event, { trace: true });
  expect(trace?.map(({ by, said }) => ({ by, said }))).toEqual([
    { by: "silent", said: "nothing" },
    { by: "broken", said: "failure" },
    { by: "guard", said: "result" },
  ]);
  expect(trace?.[2]?.result).toEqual({ cancel: true });
});

it("notes the handler that was running when the signal fired", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("stuck"), "tool_call", never);
  const { trace } = await dispatcher.emit(toolCall(), {
    trace: true,
    signal: AbortSignal.timeout(10),
  });
  expect(trace).toMatchObject([{ by: "stuck", said: "aborted" }]);
});

it.each([
  ["sync", (work: () => void) => work()],
  ["async", async (work: () => void) => work()],
])("says how long a handler took (%s)", async (_, run) => {
  const { dispatcher } = setUp();
  let clock = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  dispatcher.on(extension("busy"), "tool_call", () =>
    run(() => {
      clock += 50;
    }),
  );
  const { trace } = await dispatcher.emit(toolCall(), { trace: true });
  expect(trace).toMatchObject([{ by: "busy", ms: 50 }]);
});
