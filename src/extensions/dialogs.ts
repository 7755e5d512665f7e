import type { HostDialogOptions } from "./api/host.ts";
import type { ExtensionUIContext } from "./api/ui.ts";

/** A question that an extension puts to a person, whichever way it reaches one. */
export interface Dialog {
  readonly method: "select" | "confirm" | "input" | "editor";
  readonly title: string;
  readonly message?: string;
  /** What can be selected. */
  readonly options?: readonly string[];
  /** What the field of an input shows while it is empty. */
  readonly placeholder?: string;
  /** What the field of an editor begins with. */
  readonly prefill?: string;
}

/** Undefined: nobody answered. `yes` confirms. */
export type AskDialog = (
  dialog: Dialog,
  options?: HostDialogOptions,
) => Promise<string | undefined>;

/** The dialogs of a user interface, made from one way to ask. */
export function dialogs(
  ask: AskDialog,
): Pick<ExtensionUIContext, "select" | "confirm" | "input" | "editor"> {
  return {
    select: (title, options, opts) => ask({ method: "select", title, options }, opts),
    confirm: async (title, message, opts) =>
      (await ask({ method: "confirm", title, message }, opts)) === "yes",
    input: (title, placeholder, opts) =>
      ask({ method: "input", title, ...(placeholder !== undefined && { placeholder }) }, opts),
    editor: (title, prefill, opts) =>
      ask({ method: "editor", title, ...(prefill !== undefined && { prefill }) }, opts),
  };
}
