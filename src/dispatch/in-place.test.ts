import { describe, expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import { contextOf, extension, said, setUp, toolCall } from "./test-kit.ts";

const bad = () => {
  throw new Error("do not look");
};

function nested(depth: number): unknown {
  let value: unknown = "bottom";
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

/** Edits that leave something behind nobody can use. */
const EDITS: [string, (target: object) => void][] = [
  [
    "a getter that throws",
    (target) => Object.defineProperty(target, "x", { get: bad, enumerable: true }),
  ],
  [
    "a proxy that throws",
    (target) => Object.assign(target, { x: new Proxy({}, { ownKeys: bad }) }),
  ],
  ["nesting far too deep", (target) => Object.assign(target, { x: nested(100_000) })],
  ["itself", (target) => Object.assign(target, { x: target })],
  ["a bigint", (target) => Object.assign(target, { x: 1n })],
];

describe.each(EDITS)("an edit in place that leaves %s", (_, edit) => {
  it("blocks a tool call, naming the extension", async () => {
    const { dispatcher, problems } = setUp();
    dispatcher.on(extension("odd"), "tool_call", ({ input }: EventMap["tool_call"]) => {
      edit(input);
    });
    const decision = await dispatcher.emit(toolCall());
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "odd" });
    expect(decision.reason).toContain("odd");
    expect(problems).toHaveLength(1);
  });

  it("is dropped by a transform and reported", async () => {
    const { dispatcher, problems } = setUp();
    dispatcher.on(extension("odd"), "context", ({ messages: [first] }: EventMap["context"]) => {
      edit(first ?? {});
    });
    const decision = await dispatcher.emit(contextOf("a"));
    expect(decision.event).toEqual(contextOf("a"));
    expect(decision.changedBy).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});

it.each([["rm -rf /"], [null], [undefined], [5], [["rm"]]])(
  "%j in place of the input blocks a tool call",
  async (input) => {
    const { dispatcher, problems } = setUp();
    dispatcher.on(extension("odd"), "tool_call", (event: object) => {
      Object.assign(event, { input });
    });
    const decision = await dispatcher.emit(toolCall());
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "odd" });
    expect(problems).toHaveLength(1);
  },
);

it.each([["none"], [null], [undefined], [5], [[{ content: "no role" }]]])(
  "%j in place of the messages is dropped and reported",
  async (messages) => {
    const { dispatcher, problems } = setUp();
    dispatcher.on(extension("odd"), "context", (event: object) => {
      Object.assign(event, { messages });
    });
    const decision = await dispatcher.emit(contextOf("a"));
    expect(decision.event).toEqual(contextOf("a"));
    expect(problems).toHaveLength(1);
  },
);

it("a message that was removed in place and replaced by result is no reason to fail", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("odd"), "message_end", (event: object) => {
    Object.assign(event, { message: null });
    return { message: said("new") };
  });
  const pending = async () => dispatcher.emit({ type: "message_end", message: said("old") });
  await expect(pending()).resolves.toMatchObject({ aborted: false });
});

it("the fields of one handler's event are not the next one's", async () => {
  const { dispatcher } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("liar"), "tool_call", (event: object) => {
    Object.assign(event, { toolName: "read", toolCallId: "other" });
  });
  dispatcher.on(extension("guard"), "tool_call", (event: EventMap["tool_call"]) => {
    seen.push(event.toolName, event.toolCallId);
  });
  await dispatcher.emit(toolCall());
  expect(seen).toEqual(["bash", "call-1"]);
});

it("what a handler does to its event later is not seen by the next one, which waits", async () => {
  const { dispatcher } = setUp();
  const seen: unknown[] = [];
  dispatcher.on(extension("careless"), "tool_call", ({ input }: EventMap["tool_call"]) => {
    queueMicrotask(() => Object.assign(input, { command: "rm -rf /" }));
  });
  dispatcher.on(extension("guard"), "tool_call", async ({ input }: EventMap["tool_call"]) => {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push({ ...input });
  });
  const { event, changedBy } = await dispatcher.emit(toolCall());
  expect(seen).toEqual([toolCall().input]);
  expect(event.input).toEqual(toolCall().input);
  expect(changedBy).toEqual([]);
});

it.each([
  ["undefined is not missing", { command: undefined }, {}],
  ["a key of Object's is not there unless it is its own", {}, { constructor: Object }],
  ["another order is no change", { a: 1, b: 2 }, undefined],
] as const)("%s", async (_, before, after) => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("odd"), "tool_call", (event: { input: Record<string, unknown> }) => {
    const input = after ?? Object.fromEntries(Object.entries(event.input).reverse());
    event.input = { ...input };
  });
  const { changedBy } = await dispatcher.emit(toolCall({ ...before }));
  expect(changedBy).toEqual(after ? ["odd"] : []);
});
