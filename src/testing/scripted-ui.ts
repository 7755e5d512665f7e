import { type DialogOptions, type ExtensionUIContext, headlessUI } from "../extensions/index.ts";

/** An answer to a dialog, or a function that finds it. Undefined: the dialog is dismissed. */
export type Answer =
  | string
  | boolean
  | undefined
  | ((question: Question) => string | boolean | undefined | Promise<string | boolean | undefined>);

/** A dialog that an extension opened. */
export interface Question {
  readonly kind: "select" | "confirm" | "input" | "editor" | "custom";
  readonly title: string;
  readonly message?: string;
  readonly options?: readonly string[];
}

/** What extensions showed and asked. */
export interface UIRecord {
  readonly questions: readonly Question[];
  readonly notifications: readonly { message: string; type: "info" | "warning" | "error" }[];
  readonly statuses: ReadonlyMap<string, string>;
  readonly widgets: ReadonlyMap<string, unknown>;
  readonly titles: readonly string[];
  readonly editorText: string;
}

/** A user interface that is answered by script: the answers are used up one after the other. */
export function scriptedUI(answers: readonly Answer[]): { ui: ExtensionUIContext; seen: UIRecord } {
  const left = [...answers];
  const seen = {
    questions: [] as Question[],
    notifications: [] as { message: string; type: "info" | "warning" | "error" }[],
    statuses: new Map<string, string>(),
    widgets: new Map<string, unknown>(),
    titles: [] as string[],
    editorText: "",
  };

  const ask = async (question: Question, options?: DialogOptions) => {
    seen.questions.push(question);
    const answer = left.shift();
    if (typeof answer !== "function") return answer;
    // A scripted person may think for ever; the dialog still ends with its signal.
    return Promise.race([answer(question), dismissed(options)]);
  };
  const text = (answer: string | boolean | undefined) =>
    typeof answer === "string" ? answer : undefined;

  const ui: ExtensionUIContext = {
    ...headlessUI(),
    select: async (title, options, opts) =>
      text(await ask({ kind: "select", title, options }, opts)),
    confirm: async (title, message, opts) =>
      (await ask({ kind: "confirm", title, message }, opts)) === true,
    input: async (title, _placeholder, opts) => text(await ask({ kind: "input", title }, opts)),
    editor: async (title) => text(await ask({ kind: "editor", title })),
    // There is no terminal to draw on: the script says what the component would have returned.
    custom: async <T>() => (await ask({ kind: "custom", title: "" })) as T,
    notify: (message, type = "info") => void seen.notifications.push({ message, type }),
    setStatus: (key, value) => setOrDelete(seen.statuses, key, value),
    setWidget: (key, content) => setOrDelete(seen.widgets, key, content),
    setTitle: (title) => void seen.titles.push(title),
    pasteToEditor: (pasted) => {
      seen.editorText += pasted;
    },
    setEditorText: (value) => {
      seen.editorText = value;
    },
    getEditorText: () => seen.editorText,
  };
  return { ui, seen };
}

function dismissed({ signal, timeout }: DialogOptions = {}): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve(undefined);
    signal?.addEventListener("abort", () => resolve(undefined), { once: true });
    if (timeout !== undefined) setTimeout(() => resolve(undefined), timeout).unref();
  });
}

function setOrDelete<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
