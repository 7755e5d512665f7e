import { useState } from "preact/hooks";
import type { Question } from "./answers.ts";
import { Deadline } from "./deadline.tsx";

interface Props {
  readonly question: Question;
  readonly isBusy: boolean;
  give(value: string): void;
  cancel(): void;
  hold(): void;
}

/** A question that wants a text: one line of it, or several. */
export function TypedAnswer({ question, isBusy, give, cancel, hold }: Props) {
  const [text, setText] = useState(question.prefill ?? "");
  const isLong = question.method === "editor";
  const field = {
    value: text,
    placeholder: question.placeholder ?? "",
    "aria-label": question.title,
    onInput: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
  };
  return (
    <form
      class="typed"
      onSubmit={(event) => {
        event.preventDefault();
        give(text);
      }}
    >
      {isLong ? (
        <textarea
          {...field}
          rows={8}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) give(text);
          }}
        />
      ) : (
        <input {...field} />
      )}
      <div class="row">
        <button type="submit" class="go" disabled={isBusy}>
          Answer<kbd>{isLong ? "Ctrl ⏎" : "⏎"}</kbd>
        </button>
        <button type="button" disabled={isBusy} onClick={cancel}>
          Cancel
        </button>
        <button type="button" disabled={isBusy} onClick={hold}>
          Not now<kbd>.</kbd>
        </button>
        <Deadline question={question} />
      </div>
    </form>
  );
}
