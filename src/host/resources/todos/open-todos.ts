import { mismatch, type SessionEntry, type TodoItem } from "../../../events/index.ts";
import { renderTodos, TODO_TOOL, TodosSchema, type TodoToolInput } from "./todo-tool.ts";

/** The list as the branch left it: what the last call that worked put into its result. */
export function restoreTodos(branchEntries: readonly SessionEntry[]): TodoItem[] {
  for (const entry of branchEntries.toReversed()) {
    if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
    const { toolName, isError, details } = entry.message;
    if (toolName === TODO_TOOL && !isError && isTodos(details)) return details.todos;
  }
  return [];
}

/** Extensions may bring a tool of the same name with details of their own. */
function isTodos(details: unknown): details is TodoToolInput {
  return mismatch(TodosSchema, details) === undefined;
}

/** What is neither done nor given up. */
export function openTodos(todos: readonly TodoItem[]): TodoItem[] {
  return todos.filter(({ status }) => status === "pending" || status === "in_progress");
}

/** What the agent is told when it stops with open todos. */
export function reminderText(todos: readonly TodoItem[], attempt: number, max: number): string {
  return `You stopped, but these steps of your list are open (reminder ${attempt} of ${max}):

${renderTodos(openTodos(todos))}

Go on with them. If a step is done or no longer makes sense, update the list with the ${TODO_TOOL} tool. If you need an answer from the user first, ask for it and stop.`;
}
