import type { Todo } from "../../src/view/api.ts";

const MARKS: Readonly<Record<Todo["state"], { mark: string; word: string }>> = {
  open: { mark: "◌", word: "open" },
  doing: { mark: "▸", word: "under way" },
  done: { mark: "✓", word: "done" },
};

/** What an agent means to do, and how far it is. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  return (
    <ul class="todos">
      {todos.map(({ text, state }) => (
        <li key={text} data-state={state}>
          <span aria-hidden="true">{MARKS[state]?.mark}</span>
          <span>
            {text}
            <span class="hidden"> ({MARKS[state]?.word})</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
