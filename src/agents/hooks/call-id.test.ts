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
    expect([ids.begin(own, "h1"), ids.begin(own, "h2"), ids.end(own, "h3")]).toEqual([
      "call_1",
      "call_1",
      "call_1",
    ]);
  });

  it("tells calls apart that are alike, one after the other", () => {
    const ids = new CallIds();
    const call = made("seam-a");
    const [first, second] = [ids.begin(call, "h1"), ids.end(call, "h2")];
    expect(second).toBe(first);
    const third = ids.begin(call, "h3");
    expect(third).not.toBe(first);
    expect(ids.end(call, "h4")).toBe(third);
  });

  it("tells calls apart that are alike and run at the same time", () => {
    const ids = new CallIds();
    const call = made("seam-a");
    const begun = ["h1", "h2", "h3"].map((hook) => ids.begin(call, hook));
    expect(new Set(begun).size).toBe(3);
    const ended = ["h4", "h5", "h6"].map((hook) => ids.end(call, hook));
    expect(new Set(ended)).toEqual(new Set(begun));
  });

  it("gives a call after a restart no id that was used before", () => {
    const call = made("seam-a");
    const before = new CallIds().begin(call, "h1");
    expect(new CallIds().begin(call, "h2")).not.toBe(before);
  });

  it("gives a hook that comes again the same id again, and its call one end", () => {
    const call = made("seam-a");
    const ids = new CallIds();
    const id = ids.begin(call, "h1");
    expect(ids.begin(call, "h1")).toBe(id);
    expect(new CallIds().begin(call, "h1")).toBe(id);
    const other = ids.begin(call, "h2");
    expect([ids.end(call, "h3"), ids.end(call, "h3"), ids.end(call, "h4")]).toEqual([
      other,
      other,
      id,
    ]);
  });

  it("gives an end the same id after a restart, although nobody knows what was blocked", () => {
    const call = made("seam-a");
    const [old, ids] = [new CallIds(), new CallIds()];
    old.drop(old.begin(call, "h1"));
    const running = old.begin(call, "h2");
    for (const hook of ["h1", "h2"]) ids.begin(call, hook);
    expect(ids.end(call, "h3")).toBe(running);
    expect(old.end(call, "h3")).toBe(running);
  });

  it("a call that was blocked does not give its id to the next one's end", () => {
    const ids = new CallIds();
    const call = made("seam-a");
    ids.drop(ids.begin(call, "h1"));
    const second = ids.begin(call, "h2");
    expect(ids.end(call, "h3")).toBe(second);
  });

  it("finds the call whose input was changed on the way", () => {
    const ids = new CallIds();
    const call = { ...made(madeUpCallId("s", "bash", { command: "a" })) };
    const id = ids.begin(call, "h1");
    ids.rewritten("s", call, id, { command: "b" });
    expect(ids.end(made(madeUpCallId("s", "bash", { command: "b" })), "h2")).toBe(id);
  });

  it("finds it also where the agent names only a part of the new input", () => {
    const ids = new CallIds();
    const begins = (command: string) => made(madeUpCallId("s", "bash", { command, risk: "low" }));
    const ends = (command: string) => ({
      ...made(madeUpCallId("s", "bash", { command })),
      nativeInput: { command },
    });
    const [first, second] = ["a", "b"].map((command) => {
      const id = ids.begin(begins(command), command);
      ids.rewritten("s", begins(command), id, { command: `${command}!`, risk: "low" });
      return id;
    });
    expect(ids.end(ends("b!"), "h1")).toBe(second);
    expect(ids.end(ends("a!"), "h2")).toBe(first);
    const again = ends("a!");
    expect(ids.end(again, "h3")).toBe(again.callId);
  });

  it("an end without a beginning has the id it came with", () => {
    expect(new CallIds().end(made("seam-a"), "h1")).toBe("seam-a");
  });

  it("every end is given the id of a beginning that is still open, also after restarts", () => {
    const step = fc.record({
      does: fc.constantFrom("begin", "end", "restart" as const),
      call: fc.constantFrom("seam-a", "seam-b"),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let ids = new CallIds();
        const past: { call: ToolReading; hook: string; does: "begin" | "end" }[] = [];
        const open = new Map<string, string>();
        const used = new Set<string>();
        for (const [at, { does, call: name }] of steps.entries()) {
          const [call, hook] = [made(name), `hook ${at}`];
          if (does === "restart") {
            ids = new CallIds();
            for (const one of past) ids[one.does](one.call, one.hook);
            continue;
          }
          past.push({ call, hook, does });
          if (does === "begin") {
            const id = ids.begin(call, hook);
            expect(used.has(id)).toBe(false);
            used.add(id);
            open.set(id, name);
          } else {
            const isOpen = [...open.values()].includes(name);
            const id = ids.end(call, hook);
            expect(isOpen ? open.get(id) : id).toBe(name);
            open.delete(id);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("does not grow without end", () => {
    const ids = new CallIds();
    for (let n = 0; n < 5_000; n++) ids.begin(made(`seam-${n}`), `h${n}`);
    // The oldest are forgotten, the newest are not.
    expect(ids.end(made("seam-0"), "end")).toBe("seam-0");
    expect(ids.end(made("seam-4999"), "end")).not.toBe("seam-4999");
  });
});
