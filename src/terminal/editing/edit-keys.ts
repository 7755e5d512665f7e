import type { Keybinding } from "../keys/default-keys.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import { matchesKey } from "../keys/match.ts";
import type { EditSession } from "./edit-session.ts";
import {
  charLeft,
  charRight,
  lineEnd,
  lineStart,
  type Motion,
  wordLeft,
  wordRight,
} from "./motions.ts";

/** At the very start of a line, cutting "to its start" joins it with the line above. */
const toLineStart: Motion = (buffer, segment) =>
  buffer.cursor.col === 0 ? charLeft(buffer, segment) : lineStart(buffer, segment);

const toLineEnd: Motion = (buffer, segment) => {
  const end = lineEnd(buffer, segment);
  return buffer.cursor.col === end.col ? charRight(buffer, segment) : end;
};

/** What each editing key does; the same in a single line and in many. */
const ACTIONS: readonly (readonly [Keybinding, (session: EditSession) => void])[] = [
  ["tui.editor.undo", (session) => session.undo()],
  ["tui.editor.deleteToLineEnd", (session) => session.kill(toLineEnd, "after")],
  ["tui.editor.deleteToLineStart", (session) => session.kill(toLineStart, "before")],
  ["tui.editor.deleteWordBackward", (session) => session.kill(wordLeft, "before")],
  ["tui.editor.deleteWordForward", (session) => session.kill(wordRight, "after")],
  ["tui.editor.deleteCharBackward", (session) => session.delete(charLeft)],
  ["tui.editor.deleteCharForward", (session) => session.delete(charRight)],
  ["tui.editor.yank", (session) => session.yank()],
  ["tui.editor.yankPop", (session) => session.yankPop()],
  ["tui.editor.cursorLineStart", (session) => session.move(lineStart)],
  ["tui.editor.cursorLineEnd", (session) => session.move(lineEnd)],
  ["tui.editor.cursorWordLeft", (session) => session.move(wordLeft)],
  ["tui.editor.cursorWordRight", (session) => session.move(wordRight)],
  ["tui.editor.cursorLeft", (session) => session.move(charLeft)],
  ["tui.editor.cursorRight", (session) => session.move(charRight)],
];

/** Does what an editing key asks for. Returns false for keys that are none. */
export function applyEditKey(session: EditSession, data: string): boolean {
  const keys = getKeybindings();
  const action = ACTIONS.find(([binding]) => keys.matches(data, binding));
  if (action) {
    action[1](session);
    return true;
  }
  // Shift is easily still held down while deleting.
  if (matchesKey(data, "shift+backspace")) session.delete(charLeft);
  else if (matchesKey(data, "shift+delete")) session.delete(charRight);
  else return false;
  return true;
}
