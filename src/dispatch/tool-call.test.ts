import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import { decideToolCall } from "./index.ts";
import { extension, FAILURES, idle, never, setUp, sleep, toolCall } from "./test-kit.ts";

type Call = EventMap["tool_call"];
type Admit = EventMap["tool_admit"];

const schema = Type.Object({ command: Type.String(), timeout: Type.Optional(Type.Number()) });

it("an input nobody changes goes through as it is, also one that does not fit the schema", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("watcher"), "tool_call", () => {});
  const event = toolCall({ command: 5 });
  const decision = await decideToolCall(dispatcher, event, { schema });
  expect(decision).toMatchObject({ blocked: false, aborted: false, changedBy: [] });
  expect(decision.input).toEqual({ command: 5 });
});

it("original and final input are both kept", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("sandbox"), "tool_call", ({ input }: Call) => {
    input.command = `bwrap ${input.command}`;
  });
  const decision = await decideToolCall(dispatcher, toolCall(), { schema });
  expect(decision.originalInput).toEqual({ command: "ls" });
  expect(decision.input).toEqual({ command: "bwrap ls" });
  expect(decision.changedBy).toEqual(["sandbox"]);
});

it("an input nested deeper than the stack is high comes to a decision all the same", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("watcher"), "tool_call", () => {});
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  const decision = decideToolCall(dispatcher, toolCall({ deep }));
  await expect(decision.then(({ aborted }) => aborted)).resolves.toBe(false);
});

it("a block is passed on and tool_admit is not asked", async () => {
  const { dispatcher } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("guard"), "tool_call", () => ({ block: true, reason: "no" }));
  dispatcher.on(extension("audit"), "tool_admit", () => void seen.push("audit"));
  const decision = await decideToolCall(dispatcher, toolCall());
  expect(decision).toMatchObject({ blocked: true, reason: "no", by: "guard" });
  expect(seen).toEqual([]);
});

describe("a changed input", () => {
  it("is checked against the schema again; one that no longer fits is blocked, naming who changed it", async () => {
    const { dispatcher } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("fine"), "tool_call", () => {});
    dispatcher.on(extension("clumsy"), "tool_call", () => ({ input: { command: 5 } }));
    dispatcher.on(extension("audit"), "tool_admit", () => void seen.push("audit"));
    const decision = await decideToolCall(dispatcher, toolCall(), { schema });
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "clumsy" });
    expect(decision.reason).toMatch(/bash.*clumsy.*command/);
    expect(decision.reason).not.toContain("fine");
    expect(decision.originalInput).toEqual({ command: "ls" });
    expect(seen).toEqual([]);
  });

  it("that fits goes through", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("a"), "tool_call", () => ({ input: { command: "ls", timeout: 5 } }));
    const decision = await decideToolCall(dispatcher, toolCall(), { schema });
    expect(decision).toMatchObject({ blocked: false, input: { command: "ls", timeout: 5 } });
  });

  it("is frozen all the way down", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("a"), "tool_call", () => ({ input: { edits: [{ old: "a" }] } }));
    const { input } = await decideToolCall(dispatcher, toolCall());
    expect(() => Object.assign(input, { command: "rm" })).toThrow(TypeError);
    const [edit] = Array.isArray(input.edits) ? input.edits : [];
    expect(() => Object.assign(edit, { old: "b" })).toThrow(TypeError);
  });
});

describe("a reference kept to the input", () => {
  it.each([
    ["of the event", ({ input }: Call) => ({ kept: input, result: undefined })],
    [
      "that was returned",
      () => {
        const kept: Record<string, unknown> = { command: "safe" };
        return { kept, result: { input: kept } };
      },
    ],
  ])("has no effect once the decision is made (%s)", async (_, grab) => {
    for (const admit of [false, true]) {
      const { dispatcher } = setUp();
      const references: Record<string, unknown>[] = [];
      dispatcher.on(extension("sneaky"), "tool_call", (event: Call) => {
        const { kept, result } = grab(event);
        references.push(kept);
        return result;
      });
      if (admit) dispatcher.on(extension("audit"), "tool_admit", () => {});
      const { input } = await decideToolCall(dispatcher, toolCall());
      const decided = structuredClone(input);
      for (const kept of references) kept.command = "rm -rf /";
      expect(input).toEqual(decided);
    }
  });

  it("has no effect while a later handler is still thinking", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("sneaky"), "tool_call", ({ input }: Call) => {
      setTimeout(() => Object.assign(input, { command: "rm -rf /" }), 1);
    });
    dispatcher.on(extension("slow"), "tool_call", async () => {
      await sleep(30);
    });
    const { input, changedBy } = await decideToolCall(dispatcher, toolCall());
    expect(input).toEqual({ command: "ls" });
    expect(changedBy).toEqual([]);
  });

  it("has no effect while tool_admit is still thinking", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("sneaky"), "tool_call", ({ input }: Call) => {
      setTimeout(() => Object.assign(input, { command: "rm -rf /" }), 1);
    });
    dispatcher.on(extension("audit"), "tool_admit", async () => {
      await sleep(30);
    });
    const { input } = await decideToolCall(dispatcher, toolCall());
    expect(input).toEqual({ command: "ls" });
  });
});

describe("tool_admit", () => {
  it("sees the final input, the original one, who changed it, and the ids of the call", async () => {
    const { dispatcher } = setUp();
    const seen: Admit[] = [];
    dispatcher.on(extension("a"), "tool_call", () => ({ input: { command: "pwd" } }));
    dispatcher.on(extension("audit"), "tool_admit", (event: Admit) => void seen.push({ ...event }));
    await decideToolCall(dispatcher, { ...toolCall(), sessionId: "s", turnId: "t" });
    expect(seen).toEqual([
      {
        ...toolCall({ command: "pwd" }),
        type: "tool_admit",
        originalInput: { command: "ls" },
        changedBy: ["a"],
        sessionId: "s",
        turnId: "t",
      },
    ]);
  });

  it("sees a frozen input: what runs is what it saw", async () => {
    const { dispatcher } = setUp();
    const thrown: unknown[] = [];
    const attempts = [
      (event: Admit) => Object.assign(event.input, { command: "rm" }),
      (event: Admit) => Object.assign(event.input.nested ?? {}, { deep: "rm" }),
      (event: Admit) => Reflect.deleteProperty(event.input, "command"),
    ];
    const input = { command: "ls", nested: { deep: "ok" } };
    dispatcher.on(extension("tamperer"), "tool_admit", (event: Admit) => {
      for (const attempt of attempts) {
        try {
          attempt(event);
        } catch (error) {
          thrown.push(error);
        }
      }
    });
    const decision = await decideToolCall(dispatcher, toolCall(input));
    expect(decision).toMatchObject({ blocked: false, input: { command: "ls" } });
    expect(decision.input).toEqual({ command: "ls", nested: { deep: "ok" } });
    expect(thrown).toHaveLength(2);
  });

  it("a handler that edits the list of those who changed it does not deceive the next one", async () => {
    const { dispatcher } = setUp();
    const seen: string[][] = [];
    dispatcher.on(extension("a"), "tool_call", () => ({ input: { command: "pwd" } }));
    dispatcher.on(extension("liar"), "tool_admit", ({ changedBy }: Admit) => {
      try {
        changedBy.length = 0;
      } catch {
        // A frozen list is fine too.
      }
    });
    dispatcher.on(extension("audit"), "tool_admit", ({ changedBy }: Admit) => {
      seen.push([...changedBy]);
    });
    await decideToolCall(dispatcher, toolCall());
    expect(seen).toEqual([["a"]]);
  });

  it("what runs is what it saw, however deep the input is", async () => {
    const { dispatcher } = setUp();
    const bottom = { command: "ls" };
    let deep: object = bottom;
    for (let i = 0; i < 2_000; i++) deep = { deep };
    dispatcher.on(extension("tamperer"), "tool_admit", ({ input }: Admit) => {
      let at: object = input;
      while ("deep" in at && typeof at.deep === "object" && at.deep !== null) at = at.deep;
      try {
        Object.assign(at, { command: "rm -rf /" });
      } catch {
        // Frozen down to here: fine.
      }
    });
    const { blocked } = await decideToolCall(dispatcher, toolCall({ deep }));
    // An input that is too deep to be copied must not run.
    expect(blocked || bottom.command === "ls").toBe(true);
  });

  it.each([
    ["puts another input in its place", { input: { command: "harmless" } }],
    ["changes the name of the tool", { toolName: "read" }],
    ["changes who changed it", { changedBy: ["nobody"] }],
  ])("a handler that %s does not deceive the next one", async (_, change) => {
    const { dispatcher } = setUp();
    const seen: Admit[] = [];
    dispatcher.on(extension("a"), "tool_call", () => ({ input: { command: "rm -rf /" } }));
    dispatcher.on(extension("liar"), "tool_admit", (event: object) => {
      try {
        Object.assign(event, change);
      } catch {
        // A frozen event is fine too.
      }
    });
    dispatcher.on(extension("audit"), "tool_admit", (event: Admit) => void seen.push({ ...event }));
    await decideToolCall(dispatcher, toolCall());
    expect(seen).toMatchObject([
      { toolName: "bash", input: { command: "rm -rf /" }, changedBy: ["a"] },
    ]);
  });

  it.each([false, true])(
    "cannot touch the original input (changed before: %s)",
    async (changed) => {
      const { dispatcher } = setUp();
      if (changed) {
        dispatcher.on(extension("a"), "tool_call", () => ({ input: { command: "pwd" } }));
      }
      dispatcher.on(extension("tamperer"), "tool_admit", ({ originalInput }: Admit) => {
        try {
          Object.assign(originalInput, { command: "rm -rf /" });
        } catch {
          // A frozen original is fine too.
        }
      });
      const event = toolCall();
      const decision = await decideToolCall(dispatcher, event);
      expect(decision.originalInput).toEqual({ command: "ls" });
      expect(event.input).toEqual({ command: "ls" });
    },
  );

  it("can only block: an input it returns is not used", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("pushy"), "tool_admit", () => ({ input: { command: "rm" } }));
    const decision = await decideToolCall(dispatcher, toolCall());
    expect(decision).toMatchObject({ blocked: false, input: { command: "ls" } });
  });

  it("blocks with its reason", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("audit"), "tool_admit", async () => ({ block: true, reason: "no" }));
    const decision = await decideToolCall(dispatcher, toolCall());
    expect(decision).toMatchObject({ blocked: true, by: "audit", reason: "no" });
  });

  it.each(FAILURES)("blocks when a handler $how", async ({ run }) => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("audit"), "tool_admit", run, { deadlineMs: 20 });
    const decision = await decideToolCall(dispatcher, toolCall());
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "audit" });
    expect(decision.reason).toContain("audit");
  });
});

it.each(["tool_call", "tool_admit"])("an abort during %s counts as blocked", async (event) => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("stuck"), event, never);
  const controller = new AbortController();
  const decision = decideToolCall(dispatcher, toolCall(), { signal: controller.signal });
  await idle();
  controller.abort();
  expect(await decision).toMatchObject({ blocked: true, aborted: true });
});

it("what handlers want to tell the model is joined, line by line", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("a"), "tool_call", () => ({ additionalContext: "one" }));
  dispatcher.on(extension("silent"), "tool_call", () => ({ block: false }));
  dispatcher.on(extension("b"), "tool_call", async () => ({ additionalContext: "two" }));
  const decision = await decideToolCall(dispatcher, toolCall());
  expect(decision.additionalContext).toBe("one\ntwo");
});

it("what was to be told to the model is kept when the call is blocked", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("a"), "tool_call", () => ({ additionalContext: "one" }));
  dispatcher.on(extension("guard"), "tool_call", () => ({ block: true }));
  const decision = await decideToolCall(dispatcher, toolCall());
  expect(decision).toMatchObject({ blocked: true, additionalContext: "one" });
});

it("the trace covers both events", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("a"), "tool_call", () => {});
  dispatcher.on(extension("audit"), "tool_admit", () => {});
  const { trace } = await decideToolCall(dispatcher, toolCall(), { trace: true });
  expect(trace?.map(({ by }) => by)).toEqual(["a", "audit"]);
});
