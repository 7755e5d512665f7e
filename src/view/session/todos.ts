import { isRecord } from "../../values/index.ts";
import type { Todo } from "../api.ts";

const LISTS = ["todos", "plan", "items"] as const;
const TEXTS = ["content", "step", "text", "title", "description"] as const;
const STATES: Readonly<Record<string, Todo["state"]>> = {
  completed: "done",
  done: "done",
  cancelled: "done",
  in_progress: "doing",
  doing: "doing",
};

/** The list of a tool with which an agent keeps its todos; undefined if the call is no such thing. */
export function todosIn(input: unknown): Todo[] | undefined {
  if (!isRecord(input)) return undefined;
  for (const key of LISTS) {
    const list = input[key];
    if (!Array.isArray(list) || list.length === 0) continue;
    const todos = list.flatMap((one) => todoOf(one) ?? []);
    if (todos.length === list.length) return todos;
  }
  return undefined;
}

function todoOf(value: unknown): Todo | undefined {
  if (!isRecord(value) || typeof value.status !== "string") return undefined;
  const text = TEXTS.map((key) => value[key]).find((one) => typeof one === "string");
  return typeof text === "string" ? { text, state: STATES[value.status] ?? "open" } : undefined;
}
