import type { Keybinding } from "../keys/default-keys.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import { ESC } from "../text/escapes.ts";

/** What only an editor with several lines can be asked to do. */
export type EditorCommand =
  | "copy"
  | "complete"
  | "newLine"
  | "submit"
  | "up"
  | "down"
  | "pageUp"
  | "pageDown";

const COMMANDS: readonly (readonly [Keybinding, EditorCommand])[] = [
  ["tui.input.copy", "copy"],
  ["tui.input.tab", "complete"],
  ["tui.input.newLine", "newLine"],
  ["tui.input.submit", "submit"],
  ["tui.editor.cursorUp", "up"],
  ["tui.editor.cursorDown", "down"],
  ["tui.editor.pageUp", "pageUp"],
  ["tui.editor.pageDown", "pageDown"],
];

/** What terminals that can not report shift+enter are commonly set up to send for it. */
const NEW_LINE_DATA: ReadonlySet<string> = new Set(["\n", `${ESC}\r`, `${ESC}[13;2~`]);

export function editorCommand(data: string): EditorCommand | undefined {
  if (NEW_LINE_DATA.has(data)) return "newLine";
  const keys = getKeybindings();
  return COMMANDS.find(([binding]) => keys.matches(data, binding))?.[1];
}
