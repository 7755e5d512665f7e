import { expect, it } from "vitest";
import { Dispatcher } from "./index.ts";
import { extension, FAILURES, idle, setUp, turnStart } from "./test-kit.ts";

it("all observers run, in the order of extensions and then of registration", () => {
  const { dispatcher } = setUp();
  const [first, second] = [extension("first"), extension("second")];
  dispatcher.addOwner(first);
  dispatcher.addOwner(second);
  const seen: string[] = [];
  dispatcher.on(second, "turn_start", () => seen.push("second 1"));
  dispatcher.on(first, "turn_start", () => seen.push("first 1"));
  dispatcher.on(first, "turn_start", () => seen.push("first 2"));
  dispatcher.emit(turnStart());
  expect(seen).toEqual(["first 1", "first 2", "second 1"]);
});

it("observers get the very event that was emitted", () => {
  const { dispatcher } = setUp();
  const seen: unknown[] = [];
  dispatcher.on(extension("watcher"), "turn_start", (event: unknown) => void seen.push(event));
  const event = turnStart();
  dispatcher.emit(event);
  expect(seen[0]).toBe(event);
});

it.each([
  ["a block", { block: true }],
  ["nonsense", "nonsense"],
  ["a bigint", 1n],
])("what an observer returns is ignored: %s", async (_, returned) => {
  const { dispatcher, problems } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("first"), "turn_start", () => returned);
  dispatcher.on(extension("second"), "turn_start", async () => returned);
  dispatcher.on(extension("third"), "turn_start", () => seen.push("third"));
  expect(dispatcher.emit(turnStart())).toBeUndefined();
  await dispatcher.settled();
  expect(seen).toEqual(["third"]);
  expect(problems).toEqual([]);
});

it.each(FAILURES.filter(({ code }) => code !== "SEAM_HANDLER_RESULT"))(
  "an observer that $how is reported and the others go on",
  async ({ run, code }) => {
    const { dispatcher, problems } = setUp();
    const broken = extension("broken");
    const seen: string[] = [];
    dispatcher.on(broken, "turn_start", run, { deadlineMs: 20 });
    dispatcher.on(broken, "turn_start", () => seen.push("same extension"));
    dispatcher.on(extension("fine"), "turn_start", () => seen.push("other extension"));
    expect(dispatcher.emit(turnStart())).toBeUndefined();
    await dispatcher.settled();
    expect(seen.sort()).toEqual(["other extension", "same extension"]);
    expect(problems).toMatchObject([{ error: { code }, owner: broken, event: "turn_start" }]);
  },
);

it("the persist pair runs in registration order, waits inside an extension, and survives a throw", async () => {
  const { dispatcher, codes } = setUp();
  const archive = extension("archive");
  const seen: string[] = [];
  const ids = { sessionKey: "s", agentId: "a", toolName: "bash", toolCallId: "c", messageId: "m" };
  dispatcher.on(archive, "before_tool_call_persist", async () => {
    await idle();
    seen.push("before 1");
    throw new Error("boom");
  });
  dispatcher.on(archive, "before_tool_call_persist", () => seen.push("before 2"));
  dispatcher.on(archive, "after_tool_call_persist", (event: { toolResult: unknown }) => {
    seen.push(`after ${event.toolResult}`);
  });
  dispatcher.emit({ type: "before_tool_call_persist", ...ids, toolInput: {} });
  dispatcher.emit({ type: "after_tool_call_persist", ...ids, toolInput: {}, toolResult: "ok" });
  await dispatcher.settled();
  expect(seen).toEqual(["before 1", "before 2", "after ok"]);
  expect(codes()).toEqual(["SEAM_HANDLER_THREW"]);
});

it("a listener for problems that throws does not stop the observers", () => {
  const dispatcher = new Dispatcher({
    onProblem: () => {
      throw new Error("broken listener");
    },
  });
  const seen: string[] = [];
  dispatcher.on(extension("broken"), "turn_start", () => {
    throw new Error("boom");
  });
  dispatcher.on(extension("fine"), "turn_start", () => seen.push("fine"));
  expect(dispatcher.emit(turnStart())).toBeUndefined();
  expect(seen).toEqual(["fine"]);
});

it("an event emitted by an observer reaches the others after the one they have not seen yet", () => {
  const { dispatcher } = setUp();
  const seen: number[] = [];
  dispatcher.on(extension("eager"), "turn_start", ({ turnIndex }: { turnIndex: number }) => {
    if (turnIndex === 0) dispatcher.emit(turnStart(1));
  });
  dispatcher.on(extension("watcher"), "turn_start", ({ turnIndex }: { turnIndex: number }) => {
    seen.push(turnIndex);
  });
  dispatcher.emit(turnStart(0));
  expect(seen).toEqual([0, 1]);
});
