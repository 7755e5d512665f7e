import { describe, expect, it } from "vitest";
import { SeamError } from "../errors/index.ts";
import type { EventMap } from "../events/index.ts";
import { beforeFork, extension, FAILURES, setUp, toolCall } from "./test-kit.ts";

type Call = EventMap["tool_call"];

/** The two events whose gate closes when a handler fails. */
const CLOSING: (Call | EventMap["tool_admit"])[] = [
  toolCall(),
  { ...toolCall(), type: "tool_admit", originalInput: { command: "ls" }, changedBy: [] },
];

it("handlers are asked in order, sync and async alike", async () => {
  const { dispatcher } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("first"), "tool_call", async () => {
    await Promise.resolve();
    seen.push("first");
  });
  dispatcher.on(extension("second"), "tool_call", () => void seen.push("second"));
  dispatcher.on(extension("third"), "tool_call", async () => void seen.push("third"));
  const decision = await dispatcher.emit(toolCall());
  expect(seen).toEqual(["first", "second", "third"]);
  expect(decision).toEqual({
    blocked: false,
    aborted: false,
    event: toolCall(),
    changedBy: [],
  });
});

it.each([
  ["sync", () => ({ block: true, reason: "no shell" })],
  ["async", async () => ({ block: true, reason: "no shell" })],
])("the first block wins and stops the chain (%s)", async (_, guard) => {
  const { dispatcher, problems } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("first"), "tool_call", () => void seen.push("first"));
  dispatcher.on(extension("guard"), "tool_call", guard);
  dispatcher.on(extension("later"), "tool_call", () => {
    seen.push("later");
    return { block: true, reason: "too late" };
  });
  const decision = await dispatcher.emit(toolCall());
  expect(decision).toMatchObject({ blocked: true, by: "guard", reason: "no shell" });
  expect(decision.failed).toBeUndefined();
  expect(seen).toEqual(["first"]);
  expect(problems).toEqual([]);
});

it("the first cancel wins and stops the chain", async () => {
  const { dispatcher } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("guard"), "session_before_fork", () => ({ cancel: true }));
  dispatcher.on(extension("later"), "session_before_fork", () => void seen.push("later"));
  const decision = await dispatcher.emit(beforeFork());
  expect(decision).toMatchObject({ blocked: true, by: "guard", result: { cancel: true } });
  expect(seen).toEqual([]);
});

it.each([
  "session_before_switch",
  "session_before_fork",
  "session_before_branch",
  "session_before_tree",
  "session_before_compact",
] as const)("%s can be cancelled", async (type) => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("guard"), type, () => ({ cancel: true }));
  const signal = new AbortController().signal;
  const preparation = { targetId: "a", userWantsSummary: false };
  const events = {
    session_before_switch: { type: "session_before_switch", reason: "new" },
    session_before_fork: { type: "session_before_fork", entryId: "e" },
    session_before_branch: { type: "session_before_branch", entryId: "e" },
    session_before_tree: {
      type: "session_before_tree",
      preparation: {
        ...preparation,
        oldLeafId: null,
        commonAncestorId: null,
        entriesToSummarize: [],
      },
      signal,
    },
    session_before_compact: {
      type: "session_before_compact",
      preparation: {
        firstKeptEntryId: "e",
        tokensBefore: 1,
        messagesToSummarize: [],
        turnPrefixMessages: [],
        isSplitTurn: false,
      },
      branchEntries: [],
      signal,
    },
  } as const satisfies { [Name in typeof type]: EventMap[Name] };
  expect(await dispatcher.emit(events[type])).toMatchObject({ blocked: true, by: "guard" });
});

it("a block without a reason still says who blocked", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("guard"), "tool_call", () => ({ block: true }));
  const { reason } = await dispatcher.emit(toolCall());
  expect(reason).toContain("guard");
});

it.each([{ block: false }, { cancel: true }, {}, null, false, 0, ""])(
  "%j does not block a tool call",
  async (returned) => {
    const { dispatcher, problems } = setUp();
    dispatcher.on(extension("guard"), "tool_call", () => returned);
    expect(await dispatcher.emit(toolCall())).toMatchObject({ blocked: false });
    expect(problems).toEqual([]);
  },
);

describe.each(CLOSING)("$type closes on failure", (event) => {
  it.each(FAILURES)(
    "a handler that $how blocks, and the reason names the extension",
    async ({ run, code }) => {
      const { dispatcher, problems } = setUp();
      const guard = extension("guard");
      const seen: string[] = [];
      dispatcher.on(guard, event.type, run, { deadlineMs: 20 });
      dispatcher.on(extension("later"), event.type, () => void seen.push("later"));
      const decision = await dispatcher.emit(event);
      expect(decision).toMatchObject({ blocked: true, failed: true, by: "guard", aborted: false });
      expect(decision.reason).toContain("guard");
      expect(seen).toEqual([]);
      expect(problems).toMatchObject([{ error: { code }, owner: guard, event: event.type }]);
    },
  );

  it("the reason names the extension also when it threw an error of Seam itself", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("guard"), event.type, () => {
      throw new SeamError("SEAM_USAGE", { detail: "offline" });
    });
    const { blocked, reason } = await dispatcher.emit(event);
    expect(blocked).toBe(true);
    expect(reason).toContain("offline");
    expect(reason).toContain("guard");
  });
});

it.each(FAILURES)(
  "another gate stays open when a handler $how, and it is reported",
  async ({ run, code }) => {
    const { dispatcher, problems } = setUp();
    const broken = extension("broken");
    const seen: string[] = [];
    dispatcher.on(broken, "session_before_fork", run, { deadlineMs: 20 });
    dispatcher.on(extension("later"), "session_before_fork", () => void seen.push("later"));
    const decision = await dispatcher.emit(beforeFork());
    expect(decision).toEqual({
      blocked: false,
      aborted: false,
      event: beforeFork(),
      changedBy: [],
    });
    expect(seen).toEqual(["later"]);
    expect(problems).toMatchObject([{ error: { code }, owner: broken }]);
  },
);

it("results that do not stop the chain are merged, the later one's fields win", async () => {
  const { dispatcher } = setUp();
  const tree = {
    type: "session_before_tree",
    preparation: {
      targetId: "a",
      oldLeafId: null,
      commonAncestorId: null,
      entriesToSummarize: [],
      userWantsSummary: true,
    },
    signal: new AbortController().signal,
  } as const satisfies EventMap["session_before_tree"];
  dispatcher.on(extension("first"), tree.type, () => ({ label: "one", customInstructions: "x" }));
  dispatcher.on(extension("second"), tree.type, async () => ({ label: "two", cancel: false }));
  const decision = await dispatcher.emit(tree);
  expect(decision).toMatchObject({ blocked: false });
  expect(decision.result).toEqual({ label: "two", customInstructions: "x", cancel: false });
});

it("a block carries along what the handlers before it returned", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("first"), "tool_call", () => ({ additionalContext: "careful" }));
  dispatcher.on(extension("guard"), "tool_call", () => ({ block: true, reason: "no" }));
  const { result } = await dispatcher.emit(toolCall());
  expect(result).toEqual({ additionalContext: "careful", block: true, reason: "no" });
});

describe("tool_call input", () => {
  it("each handler sees what the one before made of it, in place or returned", async () => {
    const { dispatcher } = setUp();
    const seen: unknown[] = [];
    dispatcher.on(extension("pi"), "tool_call", (event: Call) => {
      event.input.command = "ls -l";
    });
    dispatcher.on(extension("omp"), "tool_call", async (event: Call) => {
      seen.push(structuredClone(event.input));
      return { input: { ...event.input, timeout: 5 } };
    });
    dispatcher.on(extension("watcher"), "tool_call", (event: Call) => {
      seen.push(structuredClone(event.input));
    });
    const decision = await dispatcher.emit(toolCall());
    expect(seen).toEqual([{ command: "ls -l" }, { command: "ls -l", timeout: 5 }]);
    expect(decision.event.input).toEqual({ command: "ls -l", timeout: 5 });
    expect(decision.changedBy).toEqual(["pi", "omp"]);
  });

  it("a handler may put another object in its place", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("pi"), "tool_call", (event: Call) => {
      event.input = { command: "pwd" };
    });
    const decision = await dispatcher.emit(toolCall());
    expect(decision.event.input).toEqual({ command: "pwd" });
    expect(decision.changedBy).toEqual(["pi"]);
  });

  it("the emitted event itself is never changed", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("pi"), "tool_call", (event: Call) => {
      Object.assign(event.input, { nested: { deep: 2 } });
    });
    const event = toolCall({ nested: { deep: 1 } });
    await dispatcher.emit(event);
    expect(event).toEqual(toolCall({ nested: { deep: 1 } }));
  });

  it("a change deep inside is seen, an equal input is no change", async () => {
    const { dispatcher } = setUp();
    const event = toolCall({ edits: [{ old: "a" }] });
    dispatcher.on(extension("same"), "tool_call", (call: Call) => ({
      input: structuredClone(call.input),
    }));
    dispatcher.on(extension("deep"), "tool_call", ({ input: { edits } }: Call) => {
      if (Array.isArray(edits)) edits[0].old = "b";
    });
    expect((await dispatcher.emit(event)).changedBy).toEqual(["deep"]);
  });
});
