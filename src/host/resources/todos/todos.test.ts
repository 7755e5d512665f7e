import { describe, expect, it } from "vitest";
import { mismatch, type SessionEntry, type TodoItem } from "../../../events/index.ts";
import { openTodos, reminderText, restoreTodos } from "./open-todos.ts";
import { type TodoState, todoTool } from "./todo-tool.ts";

const todo = (content: string, status: TodoItem["status"]): TodoItem => ({ content, status });
const LIST = [
  todo("plan", "completed"),
  todo("build", "in_progress"),
  todo("test", "pending"),
  todo("paint", "abandoned"),
];

const resultEntry = (details: unknown, isError = false, toolName = "todo"): SessionEntry => ({
  type: "message",
  id: "e",
  parentId: null,
  timestamp: "2026-01-01T00:00:00Z",
  message: {
    role: "toolResult",
    toolCallId: "c",
    toolName,
    content: [],
    details,
    isError,
    timestamp: 0,
  },
});

describe("the todo tool", () => {
  it("replaces the list and shows it", async () => {
    const state: TodoState = { todos: [todo("old", "pending")] };
    const { content, details } = await todoTool(state).execute("c", { todos: LIST });
    expect(state.todos).toEqual(LIST);
    expect(details).toEqual({ todos: LIST });
    const text = "[x] plan\n[~] build\n[ ] test\n[-] paint";
    expect(content).toEqual([{ type: "text", text }]);
    const emptied = await todoTool(state).execute("c", { todos: [] });
    expect(emptied.content).toEqual([{ type: "text", text: "The list is empty." }]);
  });

  it("refuses states it does not know and items that say nothing", () => {
    const { parameters } = todoTool({ todos: [] });
    expect(mismatch(parameters, { todos: LIST })).toBeUndefined();
    expect(mismatch(parameters, { todos: [{ content: "x", status: "done" }] })).toBeDefined();
    expect(mismatch(parameters, { todos: [{ content: "", status: "pending" }] })).toBeDefined();
  });
});

describe("the list of a session", () => {
  it("is that of the last call that worked on this branch", () => {
    const entries = [
      resultEntry({ todos: [todo("first", "pending")] }),
      resultEntry({ todos: LIST }),
      resultEntry({ todos: [] }, true),
      resultEntry({ todos: [] }, false, "other"),
    ];
    expect(restoreTodos(entries)).toEqual(LIST);
    expect(restoreTodos([])).toEqual([]);
  });

  it("is not taken from another tool of the same name", () => {
    const foreign = resultEntry({ action: "list", todos: [{ id: 1, text: "x", done: false }] });
    expect(restoreTodos([resultEntry({ todos: LIST }), foreign, resultEntry(undefined)])).toEqual(
      LIST,
    );
  });

  it("is open where it is neither done nor given up", () => {
    expect(openTodos(LIST).map(({ content }) => content)).toEqual(["build", "test"]);
  });

  it("is brought up with what is open and how often it was", () => {
    const text = reminderText(LIST, 2, 3);
    expect(text).toContain("reminder 2 of 3");
    expect(text).toContain("[~] build\n[ ] test");
    expect(text).not.toContain("plan");
  });
});
