import { describe, expect, it } from "vitest";
import { codeIn, onSlot, runAs, running } from "./index.ts";
import { extension, idle, setUp, toolCall, turnStart } from "./test-kit.ts";

/** As another thread sees it: nothing but the shared memory. */
const shared = new Int32Array(running.buffer);
const now = () => codeIn(shared[0] ?? -1);
const A = extension("a");
const B = extension("b");

describe("whose code has the thread", () => {
  it("is said while a handler runs, also in a handler it leads to, and no longer", async () => {
    const { dispatcher } = setUp();
    const seen: unknown[] = [];
    dispatcher.on(A, "tool_call", () => {
      seen.push(now());
      dispatcher.emit(turnStart());
      seen.push(now());
    });
    dispatcher.on(B, "turn_start", () => void seen.push(now()));
    await dispatcher.emit(toolCall());
    const inA = { name: "a", path: A.path, what: "tool_call" };
    expect(seen).toEqual([inA, { name: "b", path: B.path, what: "turn_start" }, inA]);
    expect(shared[0]).toBe(0);
  });

  it("is nobody's after a throw, and while a handler waits", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(A, "turn_start", () => {
      throw new Error("x");
    });
    dispatcher.on(B, "turn_start", async () => idle());
    dispatcher.emit(turnStart());
    expect(shared[0]).toBe(0);
    expect(() =>
      runAs(A, "a timer", () => {
        throw new Error("x");
      }),
    ).toThrow("x");
    expect(shared[0]).toBe(0);
    await dispatcher.settled();
  });

  // The first call of a handler is timed and most of the next ones are not: they take another way.
  it("is said in the same words for calls that are not timed", async () => {
    const { dispatcher, codes } = setUp();
    const seen: unknown[] = [];
    dispatcher.on(A, "turn_start", ({ turnIndex }: { turnIndex: number }) => {
      seen.push(now()?.name);
      if (turnIndex === 2) throw new Error("x");
    });
    dispatcher.on(B, "turn_start", async () => void seen.push(now()?.name));
    dispatcher.on(B, "tool_call", () => {
      dispatcher.emit(turnStart(1));
      seen.push(now()?.what);
    });
    dispatcher.emit(turnStart(0));
    await dispatcher.settled();
    await dispatcher.emit(toolCall());
    await dispatcher.settled();
    dispatcher.emit(turnStart(2));
    expect(shared[0]).toBe(0);
    await dispatcher.settled();
    expect(seen).toEqual(["a", "b", "a", "b", "tool_call", "a", "b"]);
    expect(codes()).toEqual(["SEAM_HANDLER_THREW"]);
    expect(dispatcher.report().map(({ calls, errors }) => [calls, errors])).toEqual([
      [3, 1],
      [3, 0],
      [1, 0],
    ]);
  });

  it("has the same number after a reload, and each number is told once", () => {
    const told: [number, string][] = [];
    const stop = onSlot((slot, { what }) => told.push([slot, what]));
    const before = told.length;
    const slotOf = (what: string) => runAs(A, what, () => shared[0]);
    const first = slotOf("tool new");
    expect(slotOf("tool new")).toBe(first);
    expect(slotOf("tool newer")).not.toBe(first);
    expect(told.slice(before).map(([, what]) => what)).toEqual(["tool new", "tool newer"]);
    expect(told.map(([slot]) => slot)).toEqual(told.map((_, index) => index + 1));
    stop();
    slotOf("tool newest");
    expect(told.at(-1)?.[1]).toBe("tool newer");
  });
});
