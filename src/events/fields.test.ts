import { describe, expect, expectTypeOf, it } from "vitest";
import type { ResultMap, TreePreparation } from "./index.ts";
import { EVENTS, type EventMap, type EventName, mismatch, payloadMismatch } from "./index.ts";

/**
 * The payloads of oh-my-pi's shared event types, one example each, written from that document.
 * `optional`: fields it marks with `?` or that may be undefined.
 */
const user = { role: "user", content: "hi", timestamp: 0 } as const;
const entry = { id: "e", type: "custom", parentId: null, timestamp: "", customType: "x" } as const;
const compaction = { summary: "s", firstKeptEntryId: "e", tokensBefore: 1 };
const { signal } = new AbortController();
const tree: TreePreparation = {
  targetId: "e",
  oldLeafId: null,
  commonAncestorId: null,
  entriesToSummarize: [entry],
  userWantsSummary: true,
};
const goal = {
  id: "g",
  objective: "o",
  status: "active",
  tokensUsed: 0,
  timeUsedSeconds: 0,
  createdAt: 0,
  updatedAt: 0,
} as const;

const EXAMPLES: {
  [Name in EventName]?: { fields: Omit<EventMap[Name], "type">; optional?: string[] };
} = {
  session_start: { fields: {} },
  session_before_switch: {
    fields: { reason: "resume", targetSessionFile: "/s" },
    optional: ["targetSessionFile"],
  },
  session_switch: {
    fields: { reason: "fork", previousSessionFile: "/s" },
    optional: ["previousSessionFile"],
  },
  session_before_branch: { fields: { entryId: "e" } },
  session_branch: { fields: { previousSessionFile: "/s" }, optional: ["previousSessionFile"] },
  session_before_compact: {
    fields: {
      preparation: {
        firstKeptEntryId: "e",
        tokensBefore: 1,
        messagesToSummarize: [user],
        turnPrefixMessages: [],
        isSplitTurn: false,
      },
      branchEntries: [entry],
      customInstructions: "x",
      signal,
    },
    optional: ["customInstructions"],
  },
  "session.compacting": { fields: { sessionId: "s", messages: [user] } },
  session_compact: {
    fields: {
      compactionEntry: {
        ...compaction,
        id: "c",
        type: "compaction",
        parentId: null,
        timestamp: "",
      },
      fromExtension: true,
    },
  },
  session_shutdown: { fields: {} },
  session_before_tree: { fields: { preparation: tree, signal } },
  session_tree: {
    fields: {
      newLeafId: "e",
      oldLeafId: null,
      summaryEntry: {
        id: "b",
        type: "branch_summary",
        parentId: "e",
        timestamp: "",
        fromId: "e",
        summary: "s",
      },
      fromExtension: false,
    },
    optional: ["summaryEntry", "fromExtension"],
  },
  goal_updated: { fields: { goal, state: { enabled: true, goal } }, optional: ["state"] },
  context: { fields: { messages: [user] } },
  agent_start: { fields: {} },
  agent_end: { fields: { messages: [user] } },
  turn_start: { fields: { turnIndex: 0, timestamp: 1 } },
  turn_end: { fields: { turnIndex: 0, message: user, toolResults: [] } },
  auto_compaction_start: { fields: { reason: "idle", action: "shake" } },
  auto_compaction_end: {
    fields: {
      action: "handoff",
      result: compaction,
      aborted: false,
      willRetry: false,
      errorMessage: "x",
      skipped: true,
    },
    optional: ["result", "errorMessage", "skipped"],
  },
  auto_retry_start: { fields: { attempt: 1, maxAttempts: 3, delayMs: 10, errorMessage: "x" } },
  auto_retry_end: {
    fields: { success: false, attempt: 3, finalError: "x" },
    optional: ["finalError"],
  },
  ttsr_triggered: { fields: { rules: [{ name: "r", content: "c" }] } },
  todo_reminder: {
    fields: { todos: [{ content: "x", status: "pending" }], attempt: 1, maxAttempts: 2 },
  },
};

describe.each(Object.entries(EXAMPLES))("payload of %s", (key, { fields, optional = [] }) => {
  const name = key as EventName;
  const event = { type: name, ...fields };

  it("has all fields of the document", () => {
    expect(Object.keys(EVENTS[name].payload.properties)).toEqual(
      expect.arrayContaining(Object.keys(fields)),
    );
  });

  it("accepts them all, and does without the optional ones", () => {
    expect(payloadMismatch(name, event)).toBeUndefined();
    const required = Object.entries(event).filter(([field]) => !optional.includes(field));
    expect(payloadMismatch(name, Object.fromEntries(required))).toBeUndefined();
  });

  it("misses every other one", () => {
    for (const field of Object.keys(fields).filter((it) => !optional.includes(it))) {
      const rest = Object.fromEntries(Object.entries(event).filter(([it]) => it !== field));
      expect(payloadMismatch(name, rest), field).toContain(field);
    }
  });
});

it.each([
  ["session_before_switch", "reason", ["new", "resume", "fork"]],
  ["session_switch", "reason", ["new", "resume", "fork"]],
  ["auto_compaction_start", "reason", ["threshold", "overflow", "idle", "incomplete"]],
  ["auto_compaction_start", "action", ["context-full", "handoff", "shake"]],
  ["auto_compaction_end", "action", ["context-full", "handoff", "shake"]],
] as const)("%s.%s is one of the words of the document", (name, field, words) => {
  const event = { type: name, ...EXAMPLES[name]?.fields };
  for (const word of words)
    expect(payloadMismatch(name, { ...event, [field]: word })).toBeUndefined();
  expect(payloadMismatch(name, { ...event, [field]: "other" })).toContain(field);
});

it("ids in the session tree may be null, a goal too", () => {
  const moved = { type: "session_tree", newLeafId: null, oldLeafId: null };
  expect(payloadMismatch("session_tree", moved)).toBeUndefined();
  expect(payloadMismatch("goal_updated", { type: "goal_updated", goal: null })).toBeUndefined();
});

describe("results have all fields of the document", () => {
  it.each([
    ["tool_call", EVENTS.tool_call.result, { block: true, reason: "x" }],
    [
      "tool_result",
      EVENTS.tool_result.result,
      { content: [{ type: "text", text: "x" }], details: {}, isError: true },
    ],
    ["session_before_switch", EVENTS.session_before_switch.result, { cancel: true }],
    [
      "session_before_branch",
      EVENTS.session_before_branch.result,
      { cancel: false, skipConversationRestore: true },
    ],
    ["session_before_compact", EVENTS.session_before_compact.result, { cancel: false, compaction }],
    [
      "session.compacting",
      EVENTS["session.compacting"].result,
      { context: ["x"], prompt: "x", preserveData: { a: 1 } },
    ],
    [
      "session_before_tree",
      EVENTS.session_before_tree.result,
      { cancel: false, summary: { summary: "x", details: {} } },
    ],
  ])("%s", (_, schema, example) => {
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(example)));
    expect(mismatch(schema, example)).toBeUndefined();
    expect(mismatch(schema, {})).toBeUndefined();
    for (const field of Object.keys(example).filter((it) => it !== "details")) {
      expect(mismatch(schema, { ...example, [field]: Symbol("wrong") }), field).toContain(field);
    }
  });

  it("and their types are those of the document", () => {
    expectTypeOf<ResultMap["session_before_switch"]>().toEqualTypeOf<{ cancel?: boolean }>();
    expectTypeOf<ResultMap["session_before_tree"]["summary"]>().toEqualTypeOf<
      { summary: string; details?: unknown } | undefined
    >();
    expectTypeOf<TreePreparation>().toExtend<{
      targetId: string;
      oldLeafId: string | null;
      commonAncestorId: string | null;
      userWantsSummary: boolean;
    }>();
    expect(mismatch(EVENTS.session_before_tree.result, { summary: {} })).toContain("summary");
  });
});

describe("the persist pair", () => {
  const fields = ["sessionKey", "agentId", "toolName", "toolCallId", "toolInput", "messageId"];

  it("carries the fields of the RFC and the input before it was changed, the result only after", () => {
    const known = [...fields, "originalInput"];
    expect(Object.keys(EVENTS.before_tool_call_persist.payload.properties).sort()).toEqual(
      [...known].sort(),
    );
    expect(Object.keys(EVENTS.after_tool_call_persist.payload.properties).sort()).toEqual(
      [...known, "toolResult"].sort(),
    );
  });

  it.each(["before_tool_call_persist", "after_tool_call_persist"] as const)(
    "%s: every field of the RFC is required, ids are strings, input and result may be anything",
    (name) => {
      const event: Record<string, unknown> = {
        type: name,
        ...Object.fromEntries(fields.map((field) => [field, "x"])),
        toolInput: null,
        ...(name === "after_tool_call_persist" && { toolResult: 5 }),
      };
      expect(payloadMismatch(name, event)).toBeUndefined();
      for (const field of Object.keys(event).filter((it) => it !== "type")) {
        const { [field]: _, ...rest } = event;
        expect(payloadMismatch(name, rest), field).toContain(field);
      }
      for (const field of fields.filter((it) => it !== "toolInput")) {
        expect(payloadMismatch(name, { ...event, [field]: 5 }), field).toContain(field);
      }
    },
  );
});
