import { DEFAULT_KEYS } from "./default-keys.ts";

/** The keys of terminal components, in the form in which key bindings are defined. */
export const TUI_KEYBINDINGS = Object.fromEntries(
  Object.entries(DEFAULT_KEYS)
    .filter(([name]) => name.startsWith("tui."))
    .map(([name, keys]) => [name, { defaultKeys: [...keys], description: described(name) }]),
);

/** "tui.editor.cursorWordLeft" is "cursor word left". */
function described(name: string): string {
  const [action = ""] = name.split(".").slice(-1);
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
