import type { Keybinding } from "../keys/default-keys.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import { defaultTheme, type Theme } from "./theme.ts";

/** The keys of an action for people to read, such as `escape/ctrl+c`. */
export function keyText(keybinding: Keybinding): string {
  return getKeybindings().getKeys(keybinding).join("/");
}

/** "escape/ctrl+c cancel": the keys of an action and what it does. */
export function keyHint(
  keybinding: Keybinding,
  description: string,
  theme: Theme = defaultTheme(),
): string {
  return rawKeyHint(keyText(keybinding), description, theme);
}

/** The same for a key that is no named action. */
export function rawKeyHint(
  key: string,
  description: string,
  theme: Theme = defaultTheme(),
): string {
  return theme.fg("dim", key) + theme.fg("muted", ` ${description}`);
}
