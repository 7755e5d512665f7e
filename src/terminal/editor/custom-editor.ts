import type { Keybinding } from "../keys/default-keys.ts";
import type { KeybindingsManager } from "../keys/keybindings.ts";
import type { TUI } from "../tui.ts";
import { Editor } from "./editor.ts";
import type { EditorOptions, EditorTheme } from "./editor-component.ts";

/** The prompt's editor: keys that mean something to the agent are handled before those of the text. */
export class CustomEditor extends Editor {
  readonly #keybindings: Pick<KeybindingsManager, "matches">;
  readonly actionHandlers = new Map<Keybinding, () => void>();
  onEscape?: () => void;
  onCtrlD?: () => void;
  onPasteImage?: () => void;
  /** Returns true if an extension took the key. */
  onExtensionShortcut?: (data: string) => boolean;

  constructor(
    tui: TUI,
    theme: EditorTheme,
    keybindings: Pick<KeybindingsManager, "matches">,
    options?: EditorOptions,
  ) {
    super(tui, theme, options);
    this.#keybindings = keybindings;
  }

  onAction(action: Keybinding, handler: () => void): void {
    this.actionHandlers.set(action, handler);
  }

  override handleInput(data: string): void {
    if (this.onExtensionShortcut?.(data)) return;
    const handler = this.#handlerFor(data);
    if (handler) handler();
    else super.handleInput(data);
  }

  #handlerFor(data: string): (() => void) | undefined {
    const pressed = (action: Keybinding) => this.#keybindings.matches(data, action);
    if (pressed("app.clipboard.pasteImage")) return () => this.onPasteImage?.();
    if (pressed("app.interrupt")) {
      // While proposals are shown, escape closes them and nothing else.
      if (this.isShowingAutocomplete()) return undefined;
      return this.onEscape ?? this.actionHandlers.get("app.interrupt");
    }
    // The same key deletes a character where there is one.
    if (pressed("app.exit") && this.getText() === "") {
      const exit = this.onCtrlD ?? this.actionHandlers.get("app.exit");
      return () => exit?.();
    }
    for (const [action, handler] of this.actionHandlers) {
      if (action !== "app.exit" && pressed(action)) return handler;
    }
    return undefined;
  }
}
