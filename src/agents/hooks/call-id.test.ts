import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallIds, madeUpCallId } from "./call-id.ts";
import type { ToolReading } from "./reading.ts";
import { readingOf } from "./test-kit/payloads.ts";

const made = (callId: string): ToolReading => ({
  name: "bash",
  nativeName: "bash",
  input: {},
  nativeInput: {},
  callId,
  madeUpId: true,
});

describe("an id that is made up", () => {
  it.each([
    ["[gemini-no-call-id]", "gemini", "BeforeTool.write_file", "AfterTool.write_file"],
    ["[copilot-no-call-id]", "copilot-cli", "preToolUse.create", "postToolUse.create"],
    ["[droid-no-call-id]", "factoryai-droid", "PreToolUse.Execute", "PostToolUse.Execute"],
  ] as const)("%s is the same before and after the call: %s", (_, agent, before, after) => {
    const [first] = readingOf(agent, before)?.tools ?? [];
    const [second] = readingOf(agent, after)?.tools ?? [];
    expect(first?.callId).toMatch(/^seam-[0-9a-f]{24}$/);
    expect(first?.madeUpId).toBe(true);
    expect(second?.callId).toBe(first?.callId);
  });

  it("depends on session, tool and input, and not on the order of fields", () => {
    const id = madeUpCallId("s", "bash", { command: "ls", deep: { a: 1, b: 2 } });
    expect(madeUpCallId("s", "bash", { deep: { b: 2, a: 1 }, command: "ls" })).toBe(id);
    expect(madeUpCallId("t", "bash", { command: "ls", deep: { a: 1, b: 2 } })).not.toBe(id);
    expect(madeUpCallId("s", "sh", { command: "ls", deep: { a: 1, b: 2 } })).not.toBe(id);
    expect(madeUpCallId("s", "bash", { command: "ls", deep: { a: 1, b: 3 } })).not.toBe(id);
  });

  it("tells long texts apart by their ends and their length", () => {
    const long = "x".repeat(100_000);
    const id = (content: string) => madeUpCallId("s", "write", { content });
    expect(new Set([long, `${long}x`, `${long}y`, `y${long}`].map(id)).size).toBe(4);
  });

  it("can be made of anything", () => {
    let deep: unknown = 1;
    for (let n = 0; n < 100_000; n++) deep = [deep];
    expect(madeUpCallId("s", "t", deep)).toMatch(/^seam-/);
    expect(madeUpCallId("s", "t", undefined)).toMatch(/^seam-/);
  });
});

describe("CallIds", () => {
  it("leaves the agent's own ids alone", () => {
    const { madeUpId: _, ...own } = made("call_1");
    const ids = new CallIds();
    expect([ids.begin(own), ids.begin(own), ids.end(own)]).toEqual(["call_1", "call_1", "call_1"]);
  });

  it("numbers calls that are alike, one after the other", () => {
    const ids = new CallIds();
    const call = made("seam-a");
    expect([ids.begin(call), ids.end(call)]).toEqual(["seam-a", "seam-a"]);
    expect([ids.begin(call), ids.end(call)]).toEqual(["seam-a-2", "seam-a-2"]);
  });

  it("numbers calls that are alike and run at the same time", () => {
    const ids = new CallIds();
    const call = made("seam-a");
    const begun = [ids.begin(call), ids.begin(call), ids.begin(call)];
    expect(new Set(begun).size).toBe(3);
    expect([ids.end(call), ids.end(call), ids.end(call)]).toEqual(begun);
  });

  it("a call that was blocked does not give its id to the next one's end", () => {
    const ids = new CallIds();
    const call = made("seam-a");
    ids.drop(ids.begin(call));
    const second = ids.begin(call);
    expect(second).toBe("seam-a-2");
    expect(ids.end(call)).toBe(second);
  });

  it("finds the call whose input was changed on the way", () => {
    const ids = new CallIds();
    const call = { ...made(madeUpCallId("s", "bash", { command: "a" })) };
    const id = ids.begin(call);
    ids.rewritten("s", call, id, { command: "b" });
    expect(ids.end(made(madeUpCallId("s", "bash", { command: "b" })))).toBe(id);
  });

  it("finds it also where the agent names only a part of the new input", () => {
    const ids = new CallIds();
    const begins = (command: string) => made(madeUpCallId("s", "bash", { command, risk: "low" }));
    const ends = (command: string) => ({
      ...made(madeUpCallId("s", "bash", { command })),
      nativeInput: { command },
    });
    const [first, second] = ["a", "b"].map((command) => {
      const id = ids.begin(begins(command));
      ids.rewritten("s", begins(command), id, { command: `${command}!`, risk: "low" });
      return id;
    });
    expect(ids.end(ends("b!"))).toBe(second);
    expect(ids.end(ends("a!"))).toBe(first);
    const again = ends("a!");
    expect(ids.end(again)).toBe(again.callId);
  });

  it("an end without a beginning has the id it came with", () => {
    expect(new CallIds().end(made("seam-a"))).toBe("seam-a");
  });

  it("every end is given the id of a beginning that is still open", () => {
    const step = fc.record({ begins: fc.boolean(), id: fc.constantFrom("seam-a", "seam-b") });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const ids = new CallIds();
        const open = new Set<string>();
        for (const { begins, id } of steps) {
          const call = made(id);
          if (begins) {
            const begun = ids.begin(call);
            expect(open.has(begun)).toBe(false);
            open.add(begun);
          } else {
            const waiting = [...open].some((each) => each.startsWith(id));
            expect(open.delete(ids.end(call))).toBe(waiting);
          }
        }
      }),
    );
  });

  it("does not grow without end", () => {
    const ids = new CallIds();
    for (let n = 0; n < 5_000; n++) ids.begin(made(`seam-${n}`));
    // The oldest are forgotten, the newest are not.
    expect(ids.begin(made("seam-0"))).toBe("seam-0");
    expect(ids.begin(made("seam-4999"))).toBe("seam-4999-2");
  });
});
