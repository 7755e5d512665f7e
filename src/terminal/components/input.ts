import { type Component, CURSOR_MARKER, type Focusable } from "../component.ts";
import { cleanPaste } from "../editing/clean-text.ts";
import { applyEditKey } from "../editing/edit-keys.ts";
import { EditSession } from "../editing/edit-session.ts";
import { PasteReader } from "../editing/paste-reader.ts";
import { byGrapheme } from "../editing/segments.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import { printableText } from "../keys/printable.ts";
import { ESC } from "../text/escapes.ts";
import { fitLine } from "../text/truncate.ts";
import { visibleWidth } from "../text/width.ts";

const PROMPT = "> ";

/** A single line to type into. It scrolls sideways where the text is longer than the line. */
export class Input implements Component, Focusable {
  readonly #session = new EditSession(byGrapheme);
  readonly #paste = new PasteReader();
  focused = false;
  onSubmit?: (value: string) => void;
  onEscape?: () => void;

  getValue(): string {
    return this.#session.buffer.text;
  }

  setValue(value: string): void {
    this.#session.setText(oneLine(value));
  }

  handleInput(data: string): void {
    for (const arrived of this.#paste.read(data)) {
      if (arrived.kind === "paste") this.#session.insert(oneLine(cleanPaste(arrived.text)));
      else this.#key(arrived.data);
    }
  }

  invalidate(): void {}

  render(width: number): string[] {
    const text = this.getValue();
    const cursor = this.#session.buffer.cursor.col;
    const end = byGrapheme(text).find((part) => part.end > cursor)?.end ?? cursor;
    const under = text.slice(cursor, end) || " ";
    const after = text.slice(end);
    const room = Math.max(0, width - PROMPT.length - visibleWidth(under));
    const before = scrolled(text.slice(0, cursor), after, room);
    const marker = this.focused ? CURSOR_MARKER : "";
    return [fitLine(`${PROMPT}${before}${marker}${ESC}[7m${under}${ESC}[27m${after}`, width)];
  }

  #key(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.onEscape?.();
    else if (keys.matches(data, "tui.input.submit") || data === "\n")
      this.onSubmit?.(this.getValue());
    else if (!applyEditKey(this.#session, data)) {
      const text = printableText(data);
      if (text !== undefined) this.#session.type(oneLine(text));
    }
  }
}

/** The end of the text before the cursor. A third of the line stays for what follows, if much does. */
function scrolled(before: string, after: string, room: number): string {
  const limit = Math.max(room - visibleWidth(after), Math.ceil((room * 2) / 3));
  if (visibleWidth(before) <= limit) return before;
  let kept = "";
  for (const { text } of byGrapheme(before).reverse()) {
    if (visibleWidth(text + kept) > limit) break;
    kept = text + kept;
  }
  return kept;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, "");
}
