import type { Focusable } from "../component.ts";
import { cleanPaste } from "../editing/clean-text.ts";
import { applyEditKey } from "../editing/edit-keys.ts";
import { EditSession } from "../editing/edit-session.ts";
import { charLeft, lineEnd, lineStart } from "../editing/motions.ts";
import { PasteReader } from "../editing/paste-reader.ts";
import type { Segmenter } from "../editing/segments.ts";
import { printableText } from "../keys/printable.ts";
import type { Paint } from "../text/background.ts";
import type { TUI } from "../tui.ts";
import type { AutocompleteProvider } from "./autocomplete-provider.ts";
import { Completion, isCompletable, type Proposal } from "./completion.ts";
import type { EditorComponent, EditorOptions, EditorTheme } from "./editor-component.ts";
import { type EditorCommand, editorCommand } from "./editor-keys.ts";
import { columnOf, layoutRows, positionAt, type Row, rowOf } from "./layout.ts";
import { PasteStore } from "./paste-store.ts";
import { PromptHistory } from "./prompt-history.ts";
import { renderEditor, textWidth } from "./render-editor.ts";

const MIN_ROWS = 5;
const SHARE_OF_SCREEN = 0.3;
const COMPLETIONS_SHOWN = 5;
const WIDTH_BEFORE_FIRST_RENDER = 80;

/** An editor for text of several lines. Enter submits, shift+enter begins a new line. */
export class Editor implements EditorComponent, Focusable {
  protected tui: TUI;
  focused = false;
  disableSubmit = false;
  borderColor: Paint;
  onSubmit?: (text: string) => void;
  onChange?: (text: string) => void;
  readonly #pastes = new PasteStore();
  readonly #session = new EditSession(this.#pastes.segment);
  readonly #paste = new PasteReader();
  readonly #history = new PromptHistory();
  readonly #rowCursor = new RowCursor();
  readonly #completion: Completion;
  #paddingX: number;
  #width = WIDTH_BEFORE_FIRST_RENDER;
  #top = 0;
  /** The revision of the text that `onChange` was last told of. */
  #reported = 0;

  constructor(tui: TUI, theme: EditorTheme, options: EditorOptions = {}) {
    this.tui = tui;
    this.borderColor = theme.borderColor;
    this.#paddingX = options.paddingX ?? 0;
    this.#completion = new Completion(
      theme.selectList,
      options.autocompleteMaxVisible ?? COMPLETIONS_SHOWN,
      () => this.tui.requestRender(),
      (proposal) => this.#change(() => this.#take(proposal)),
    );
  }

  getText(): string {
    return this.#session.buffer.text;
  }

  getExpandedText(): string {
    return this.#pastes.expand(this.getText());
  }

  getLines(): string[] {
    return [...this.#session.buffer.lines];
  }

  getCursor(): { line: number; col: number } {
    return { ...this.#session.buffer.cursor };
  }

  setText(text: string): void {
    this.#completion.close();
    this.#history.leave();
    this.#change(() => this.#session.setText(this.#shortened(text)));
  }

  insertTextAtCursor(text: string): void {
    this.#completion.close();
    this.#history.leave();
    this.#change(() => this.#session.insert(this.#shortened(text)));
  }

  addToHistory(text: string): void {
    this.#history.add(text);
  }

  getPaddingX(): number {
    return this.#paddingX;
  }

  setPaddingX(padding: number): void {
    this.#paddingX = Math.max(0, Math.floor(padding));
    this.tui.requestRender();
  }

  getAutocompleteMaxVisible(): number {
    return this.#completion.maxVisible;
  }

  setAutocompleteMaxVisible(maxVisible: number): void {
    this.#completion.maxVisible = Math.max(1, Math.floor(maxVisible));
  }

  setAutocompleteProvider(provider: AutocompleteProvider): void {
    this.#completion.provider = provider;
  }

  isShowingAutocomplete(): boolean {
    return this.#completion.isOpen;
  }

  invalidate(): void {}

  render(width: number): string[] {
    this.#width = textWidth(width, this.#paddingX);
    const { lines, top } = renderEditor(
      {
        text: this.#session.buffer.snapshot(),
        rows: this.#rows(),
        segment: this.#pastes.segment,
        paddingX: this.#paddingX,
        scrolledTo: this.#top,
        maxRows: this.#maxRows(),
        showCursorMarker: this.focused && !this.#completion.isOpen,
        borderColor: this.borderColor,
        renderBelow: (room) => this.#completion.render(room),
      },
      width,
    );
    this.#top = top;
    return lines;
  }

  handleInput(data: string): void {
    for (const arrived of this.#paste.read(data)) {
      if (arrived.kind === "paste") this.#insertPaste(cleanPaste(arrived.text));
      else this.#change(() => this.#key(arrived.data));
    }
  }

  #key(data: string): void {
    if (this.#completion.isOpen && this.#completionKey(data)) return;
    const command = editorCommand(data);
    if (command !== "up" && command !== "down") this.#rowCursor.forgetColumn();
    if (command) {
      this.#run(command);
      return;
    }
    const before = this.#session.buffer.revision;
    if (!applyEditKey(this.#session, data)) {
      const text = printableText(data);
      if (text === undefined) return;
      this.#session.type(text);
    }
    if (this.#session.buffer.revision === before) this.#completion.close();
    else this.#afterEdit();
  }

  #afterEdit(): void {
    this.#history.leave();
    const text = this.#session.buffer.snapshot();
    if (isCompletable(text)) this.#completion.request(text, false);
    else this.#completion.close();
  }

  /** Returns false for keys that go on to the text. */
  #completionKey(data: string): boolean {
    const pressed = this.#completion.press(data);
    if (typeof pressed === "boolean") return pressed;
    this.#take(pressed);
    // A command chosen with enter is also run: its name was all there was to say.
    return !(pressed.confirmed && pressed.prefix.startsWith("/"));
  }

  #take(proposal: Proposal): void {
    const next = this.#completion.apply(this.#session.buffer.snapshot(), proposal);
    this.#completion.close();
    if (next) this.#session.rewrite(next);
  }

  #run(command: EditorCommand): void {
    const commands: Record<EditorCommand, () => void> = {
      // The owner of the editor handles this key, because it also means "stop".
      copy: () => {},
      complete: () => this.#completion.request(this.#session.buffer.snapshot(), true),
      newLine: () => this.#newLine(),
      submit: () => this.#submit(),
      up: () => this.#vertical(-1),
      down: () => this.#vertical(1),
      pageUp: () => this.#moveRows(-this.#maxRows()),
      pageDown: () => this.#moveRows(this.#maxRows()),
    };
    commands[command]();
  }

  #newLine(): void {
    this.#completion.close();
    this.#history.leave();
    this.#session.insert("\n");
  }

  #submit(): void {
    if (this.disableSubmit) return;
    const { line, col } = this.#session.buffer.cursor;
    // For terminals that know no shift+enter: a backslash before enter begins a new line.
    if (this.#session.buffer.lineAt(line).charAt(col - 1) === "\\") {
      this.#session.delete(charLeft);
      this.#newLine();
      return;
    }
    const text = this.getExpandedText().trim();
    this.#completion.close();
    this.#history.leave();
    this.#change(() => this.#session.clear());
    this.#pastes.clear();
    this.#top = 0;
    this.onSubmit?.(text);
  }

  #vertical(step: -1 | 1): void {
    const rows = this.#rows();
    const at = rowOf(rows, this.#session.buffer.cursor);
    const atEdge = step < 0 ? at === 0 : at === rows.length - 1;
    if (!atEdge) {
      this.#moveRows(step);
      return;
    }
    this.#rowCursor.forgetColumn();
    if (this.#history.isBrowsing || (step < 0 && this.getText() === "")) {
      const entry = step < 0 ? this.#history.older() : this.#history.newer();
      if (entry !== undefined) this.#session.setText(this.#shortened(entry));
    } else this.#session.move(step < 0 ? lineStart : lineEnd);
  }

  #moveRows(step: number): void {
    this.#rowCursor.move(this.#session, this.#rows(), step, this.#pastes.segment);
  }

  #insertPaste(text: string): void {
    const { line, col } = this.#session.buffer.cursor;
    const before = this.#session.buffer.lineAt(line).slice(0, col);
    // A file dropped behind a word is a word of its own.
    const gap = /^[/~.]/.test(text) && /\w$/.test(before) ? " " : "";
    if (text !== "") this.insertTextAtCursor(this.#pastes.shorten(gap + text));
  }

  #shortened(text: string): string {
    return this.#pastes.shortenEdited(text);
  }

  /** Reports a change of the text once, however many steps it took. */
  #change(edit: () => void): void {
    edit();
    const { revision } = this.#session.buffer;
    if (revision === this.#reported) return;
    this.#reported = revision;
    this.onChange?.(this.getText());
  }

  #rows(): Row[] {
    return layoutRows(this.#session.buffer.lines, this.#width, this.#pastes.segment);
  }

  #maxRows(): number {
    return Math.max(MIN_ROWS, Math.floor(this.tui.terminal.rows * SHARE_OF_SCREEN));
  }
}

/** Moves the cursor between rows. It comes back to its column after rows that were too short. */
class RowCursor {
  #goalColumn: number | undefined;

  move(session: EditSession, rows: readonly Row[], step: number, segment: Segmenter): void {
    const { lines, cursor } = session.buffer;
    const at = rowOf(rows, cursor);
    const from = rows[at];
    const to = rows[Math.max(0, Math.min(at + step, rows.length - 1))];
    if (!from || !to) return;
    this.#goalColumn ??= columnOf(lines, from, cursor.col);
    session.moveTo(positionAt(lines, to, this.#goalColumn, segment, step));
  }

  /** Any other movement sets a new column. */
  forgetColumn(): void {
    this.#goalColumn = undefined;
  }
}
