import type { EditorFactory } from "../../extensions/index.ts";
import {
  type AutocompleteProvider,
  type Component,
  CustomEditor,
  type EditorComponent,
  getEditorTheme,
  getKeybindings,
  isKeybinding,
  type Keybinding,
  type Theme,
  type TUI,
} from "../../terminal/index.ts";

/** What the program around the editor does. */
export interface EditorSurroundings {
  readonly tui: TUI;
  readonly theme: Theme;
  submit(text: string): void;
  readonly actions: Readonly<Partial<Record<Keybinding, () => void>>>;
  escape(): void;
  exit(): void;
  pasteImage(): void;
  /** True if a shortcut of an extension took the key. */
  shortcut(data: string): boolean;
  /** Shows an editor of an extension as any component of others: with a guard. */
  guard(make: () => Component): Component;
}

/** The editor of the prompt: Seam's own, or the one an extension brings. */
export class PromptEditor {
  readonly #around: EditorSurroundings;
  #current: EditorComponent;
  #shown: Component;
  #provider: AutocompleteProvider | undefined;
  readonly #history: string[] = [];

  constructor(around: EditorSurroundings) {
    this.#around = around;
    const own = this.#own();
    this.#current = own;
    this.#shown = own;
  }

  /** What is drawn and gets the keys. */
  get component(): Component {
    return this.#shown;
  }

  /** An editor of an extension takes over the text that is there, and gives it back. */
  use(factory: EditorFactory | undefined): void {
    const text = this.text;
    const { tui, theme, guard } = this.#around;
    if (!factory) {
      const own = this.#own();
      this.#current = own;
      this.#shown = own;
    } else {
      this.#shown = guard(() => {
        const editor = factory(tui, getEditorTheme(theme), getKeybindings());
        this.#current = editor;
        this.#connect(editor);
        return editor;
      });
    }
    for (const one of this.#history) this.#current.addToHistory?.(one);
    if (this.#provider) this.#current.setAutocompleteProvider?.(this.#provider);
    this.#current.setText(text);
  }

  get text(): string {
    return this.#current.getExpandedText?.() ?? this.#current.getText();
  }

  set text(text: string) {
    this.#current.setText(text);
  }

  /** The text, which is then no longer there. */
  take(): string {
    const { text } = this;
    this.text = "";
    return text.trim();
  }

  insert(text: string): void {
    if (this.#current.insertTextAtCursor) this.#current.insertTextAtCursor(text);
    else this.#current.setText(this.#current.getText() + text);
  }

  remember(text: string): void {
    this.#history.push(text);
    this.#current.addToHistory?.(text);
  }

  set completions(provider: AutocompleteProvider) {
    this.#provider = provider;
    this.#current.setAutocompleteProvider?.(provider);
  }

  get isForShell(): boolean {
    return this.#current.getText().startsWith("!");
  }

  set borderColor(paint: (text: string) => string) {
    this.#current.borderColor = paint;
  }

  #own(): CustomEditor {
    const { tui, theme } = this.#around;
    const editor = new CustomEditor(tui, getEditorTheme(theme), getKeybindings());
    this.#connect(editor);
    return editor;
  }

  #connect(editor: EditorComponent): void {
    const around = this.#around;
    editor.onSubmit = (text) => around.submit(text);
    if (!(editor instanceof CustomEditor)) return;
    editor.onEscape = () => around.escape();
    editor.onCtrlD = () => around.exit();
    editor.onPasteImage = () => around.pasteImage();
    editor.onExtensionShortcut = (data) => around.shortcut(data);
    for (const [action, run] of Object.entries(around.actions)) {
      if (isKeybinding(action)) editor.onAction(action, run);
    }
  }
}
