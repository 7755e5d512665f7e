import {
  Container,
  DynamicBorder,
  defaultTheme,
  Editor,
  getEditorTheme,
  getKeybindings,
  Input,
  Text,
  type TUI,
} from "../../../terminal/index.ts";

function heading(container: Container, title: string): void {
  const theme = defaultTheme();
  container.addChild(new DynamicBorder((text) => theme.fg("border", text)));
  container.addChild(new Text(theme.fg("accent", theme.bold(title)), 1, 0));
}

/** Asks for one line. */
export class ExtensionInputComponent extends Container {
  readonly #input = new Input();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    title: string,
    _placeholder: string | undefined,
    onSubmit: (value: string) => void,
    onCancel: () => void,
    options: { timeout?: number } = {},
  ) {
    super();
    heading(this, title);
    this.#input.onSubmit = onSubmit;
    this.#input.onEscape = onCancel;
    this.addChild(this.#input);
    this.#timer = options.timeout === undefined ? undefined : setTimeout(onCancel, options.timeout);
  }

  get focused(): boolean {
    return this.#input.focused;
  }
  set focused(focused: boolean) {
    this.#input.focused = focused;
  }
  handleInput(data: string): void {
    this.#input.handleInput(data);
  }
  dispose(): void {
    clearTimeout(this.#timer);
  }
}

/** Asks for a text of several lines. */
export class ExtensionEditorComponent extends Container {
  readonly #editor: Editor;
  readonly #onCancel: () => void;

  constructor(
    tui: TUI,
    _keybindings: object,
    title: string,
    prefill: string | undefined,
    onSubmit: (value: string) => void,
    onCancel: () => void,
  ) {
    super();
    this.#onCancel = onCancel;
    heading(this, title);
    this.#editor = new Editor(tui, getEditorTheme());
    if (prefill !== undefined) this.#editor.setText(prefill);
    this.#editor.onSubmit = onSubmit;
    this.addChild(this.#editor);
  }

  get focused(): boolean {
    return this.#editor.focused;
  }
  set focused(focused: boolean) {
    this.#editor.focused = focused;
  }
  handleInput(data: string): void {
    if (getKeybindings().matches(data, "tui.select.cancel")) this.#onCancel();
    else this.#editor.handleInput(data);
  }
}
