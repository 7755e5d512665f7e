import { DEFAULT_KEYS } from "./default-keys.ts";
import type { KeyId } from "./key-id.ts";

/** An action: the keys it has unless the user changes them, and what it does. */
export interface KeybindingDefinition {
  readonly defaultKeys: KeyId | readonly KeyId[];
  readonly description?: string;
}

/** Actions by name. */
export type KeybindingDefinitions = Readonly<Record<string, KeybindingDefinition>>;

/** All actions of Seam's terminal. */
export const KEYBINDINGS: KeybindingDefinitions = Object.fromEntries(
  Object.entries(DEFAULT_KEYS).map(([name, keys]) => [
    name,
    { defaultKeys: [...keys], description: described(name) },
  ]),
);

/** Those of its components. */
export const TUI_KEYBINDINGS: KeybindingDefinitions = Object.fromEntries(
  Object.entries(KEYBINDINGS).filter(([name]) => name.startsWith("tui.")),
);

/** "tui.editor.cursorWordLeft" is "cursor word left". */
function described(name: string): string {
  const [action = ""] = name.split(".").slice(-1);
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
