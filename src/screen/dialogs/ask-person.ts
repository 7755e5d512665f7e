import type { AskDialog, Dialog, HostDialogOptions } from "../../extensions/index.ts";
import type { Dialogs } from "./dialogs.ts";

/** Answers that hold for good, kept with those of the inbox. */
export interface Remembered {
  /** The answer that was given for good, if there is one. */
  find(dialog: Dialog, options: HostDialogOptions): Promise<string | undefined>;
  keep(dialog: Dialog, options: HostDialogOptions, answer: string, what: string): Promise<string>;
}

export interface AskSurroundings {
  readonly dialogs: Dialogs;
  readonly remembered: Remembered;
  /** The same question for whoever is attached elsewhere: the page, `seam inbox`. */
  readonly elsewhere: AskDialog;
  readonly isAttended: () => boolean;
  readonly nameOf: (path: string) => string;
  readonly notify: (text: string) => void;
  readonly alert: () => void;
}

/** Asks in this terminal and, if somebody is attached there, in the inbox: the first answer counts. */
export function askPerson(around: AskSurroundings): AskDialog {
  return async (dialog, options = {}) => {
    const known = options.call && (await around.remembered.find(dialog, options));
    if (known !== undefined) return known;
    const over = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, over.signal]) : over.signal;
    const within = { ...options, signal };
    around.alert();
    const here = askHere(around, dialog, within);
    if (!around.isAttended()) return here;
    const there = around.elsewhere(dialog, within).then(
      // Closing a question elsewhere answers nothing here.
      (answer) => answer ?? new Promise<undefined>(() => {}),
      () => new Promise<undefined>(() => {}),
    );
    try {
      return await Promise.race([here, there]);
    } finally {
      over.abort();
    }
  };
}

async function askHere(
  around: AskSurroundings,
  dialog: Dialog,
  options: HostDialogOptions,
): Promise<string | undefined> {
  const { dialogs, nameOf } = around;
  const { method, title, message = "", placeholder, prefill } = dialog;
  const from = options.from ? { from: `asked by ${nameOf(options.from)}` } : {};
  const shown = { ...options, ...from };
  if (method === "select") return dialogs.select(title, dialog.options ?? [], shown);
  if (method === "input") return dialogs.input(title, placeholder, shown);
  if (method === "editor") return dialogs.editor(title, prefill, shown);
  if (options.call) return approve(around, dialog, options, shown);
  return (await dialogs.confirm(title, message, shown)) ? "yes" : "no";
}

/** A question about a tool call: it can be answered for good. */
async function approve(
  { dialogs, remembered, notify }: AskSurroundings,
  dialog: Dialog,
  options: HostDialogOptions,
  shown: HostDialogOptions,
): Promise<string> {
  const { call } = options;
  const what =
    ["command", "path"].find((field) => typeof call?.input[field] === "string") ?? "tool";
  const items = [
    { value: "yes", label: "y  Yes" },
    { value: "no", label: "n  No" },
    { value: "always", label: `a  Always for this ${what}` },
    { value: "never", label: `x  Never for this ${what}` },
  ];
  const keys = { y: "yes", n: "no", a: "always", x: "never" };
  const text = `${dialog.title}\n${dialog.message ?? ""}`;
  const chosen = (await dialogs.choose(text, items, { ...shown, keys })) ?? "no";
  if (chosen !== "always" && chosen !== "never") return chosen;
  const answer = chosen === "always" ? "yes" : "no";
  notify(await remembered.keep(dialog, options, answer, what));
  return answer;
}
