import { type Static, Type } from "typebox";
import type { TodoItem } from "../../../events/index.ts";
import type { BuiltinTool } from "../../../tools/index.ts";

export const TODO_TOOL = "todo";

const STATUSES = ["pending", "in_progress", "completed", "abandoned"] as const;

/** What the model sends, and what is kept in the result's details. */
export const TodosSchema = Type.Object({
  todos: Type.Array(
    Type.Object({
      content: Type.String({ minLength: 1, description: "What is to be done" }),
      status: Type.Unsafe<TodoItem["status"]>({ type: "string", enum: STATUSES }),
    }),
    { description: "The whole list; it takes the place of the one before" },
  ),
});

export type TodoToolInput = Static<typeof TodosSchema>;

/** Where the list lives while a session runs. */
export interface TodoState {
  todos: TodoItem[];
}

const MARKS: Readonly<Record<TodoItem["status"], string>> = {
  pending: "[ ]",
  in_progress: "[~]",
  completed: "[x]",
  abandoned: "[-]",
};

/** Lets the model keep a list of what is to be done. */
export function todoTool(state: TodoState): BuiltinTool<typeof TodosSchema, TodoToolInput> {
  return {
    name: TODO_TOOL,
    label: "Todo",
    description:
      "Keep the list of what is to be done. Send the whole list each time. Use it for work with several steps: write the steps down first, have one in_progress at a time, and mark a step completed as soon as it is. Mark what is no longer wanted as abandoned.",
    promptSnippet: "Keep a list of the steps of a longer task",
    parameters: TodosSchema,
    executionMode: "sequential",
    async execute(_toolCallId, { todos }) {
      state.todos = todos;
      return { content: [{ type: "text", text: renderTodos(todos) }], details: { todos } };
    },
  };
}

export function renderTodos(todos: readonly TodoItem[]): string {
  if (todos.length === 0) return "The list is empty.";
  return todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join("\n");
}
