import type {
  ComponentFactory,
  CustomFactory,
  CustomOptions,
  EditorFactory,
  ExtensionUIContext,
  FooterData,
  FooterFactory,
  Keybindings,
} from "../../extensions/index.ts";
import {
  type AutocompleteProvider,
  type Component,
  Container,
  getKeybindings,
  isKeybinding,
  type OverlayOptions,
  safeText,
  Text,
  type Theme,
} from "../../terminal/index.ts";
import { Guarded } from "../blocks/guarded.ts";
import type { Themes } from "../look/themes.ts";
import type { Stage } from "../parts/stage.ts";

/** Lines of a widget that an extension gave as text; a component may draw more. */
const MOST_WIDGET_LINES = 10;

/** What the program around it does for the user interface of extensions. */
export interface UISurroundings {
  readonly stage: Stage;
  readonly themes: Themes;
  readonly footerData: FooterData;
  readonly statuses: Map<string, string>;
  /** How a question about a tool call is asked, and every other dialog. */
  readonly dialogs: Pick<ExtensionUIContext, "select" | "confirm" | "input" | "editor">;
  notify(message: string, type: "info" | "warning" | "error"): void;
  setTitle(title: string): void;
  setHeader(header: Component | undefined): void;
  setFooter(footer: Component | undefined): void;
  setEditorFactory(factory: EditorFactory | undefined): void;
  readonly editorText: { get(): string; set(text: string): void; paste(text: string): void };
  wrapCompletions(wrap: (current: AutocompleteProvider) => AutocompleteProvider): void;
}

const KEYBINDINGS: Keybindings = {
  matches: (data, binding) => isKeybinding(binding) && getKeybindings().matches(data, binding),
  getKeys: (binding) => (isKeybinding(binding) ? getKeybindings().getKeys(binding) : []),
};

/** Everything extensions can do with the screen. */
export class ScreenUI implements ExtensionUIContext {
  readonly #around: UISurroundings;
  #editorFactory: EditorFactory | undefined;
  /** Ends what a session's extensions left on the screen. */
  readonly #cleanups = new Set<() => void>();

  constructor(around: UISurroundings) {
    this.#around = around;
  }

  select: ExtensionUIContext["select"] = (...args) => this.#around.dialogs.select(...args);
  confirm: ExtensionUIContext["confirm"] = (...args) => this.#around.dialogs.confirm(...args);
  input: ExtensionUIContext["input"] = (...args) => this.#around.dialogs.input(...args);
  editor: ExtensionUIContext["editor"] = (...args) => this.#around.dialogs.editor(...args);

  notify(message: string, type: "info" | "warning" | "error" = "info"): void {
    this.#around.notify(message, type);
  }

  setStatus(key: string, text: string | undefined): void {
    const { statuses } = this.#around;
    if (text === undefined) statuses.delete(key);
    else statuses.set(key, String(text));
    this.#draw();
  }

  setWidget: ExtensionUIContext["setWidget"] = (key, content, options) => {
    const { above, below } = this.#around.stage;
    for (const place of [above, below]) {
      const before = place.get(key);
      if (before instanceof Guarded) before.dispose();
      place.delete(key);
    }
    if (content !== undefined) {
      const place = options?.placement === "belowEditor" ? below : above;
      const what = `The widget ${key}`;
      place.set(key, Array.isArray(content) ? this.#lines(content) : this.#make(content, what));
    }
    this.#draw();
  };

  setTitle(title: string): void {
    this.#around.setTitle(safeText(title));
  }

  setFooter(factory: FooterFactory | undefined): void {
    const { footerData } = this.#around;
    const made =
      factory && this.#make((tui, theme) => factory(tui, theme, footerData), "The footer");
    this.#around.setFooter(made);
    this.#draw();
  }

  setHeader(factory: ComponentFactory | undefined): void {
    this.#around.setHeader(factory && this.#make(factory, "The header"));
    this.#draw();
  }

  setWorkingMessage(message?: string): void {
    this.#around.stage.working.setMessage(message);
  }

  setWorkingVisible(visible: boolean): void {
    this.#around.stage.working.setVisible(visible);
  }

  setWorkingIndicator: ExtensionUIContext["setWorkingIndicator"] = (options) => {
    this.#around.stage.working.setIndicator(options);
  };

  setHiddenThinkingLabel(label = "Thinking…"): void {
    this.#around.stage.look.hiddenThinkingLabel = label;
    this.#around.stage.look.changed();
  }

  async custom<T>(factory: CustomFactory<T>, options: CustomOptions = {}): Promise<T> {
    const { stage } = this.#around;
    let close = () => {};
    let made: Guarded | undefined;
    let isOver = false;
    return new Promise<T>((resolve, reject) => {
      const end = () => {
        isOver = true;
        this.#cleanups.delete(dismiss);
        close();
        made?.dispose();
        stage.refocus();
      };
      const done = (result: T) => {
        if (isOver) return;
        end();
        resolve(result);
      };
      // An extension that is gone never calls `done`; Pi's answer is then undefined, too.
      const dismiss = () => done(undefined as T);
      this.#cleanups.add(dismiss);
      const show = (component: Component) => {
        made = this.#guard(component, "What the extension shows", stage.wholeRoom);
        if (isOver) {
          made.dispose();
          return;
        }
        const held = new Held(made, dismiss);
        if (!options.overlay) {
          close = stage.showInstead(held);
          return;
        }
        const { overlayOptions } = options;
        const wish = typeof overlayOptions === "function" ? overlayOptions() : overlayOptions;
        const handle = stage.screen.showOverlay(held, wish ?? ownWidth(component));
        close = () => handle.hide();
        options.onHandle?.(handle);
      };
      Promise.resolve()
        .then(() => factory(stage.screen, stage.theme, KEYBINDINGS, done))
        .then(show)
        .catch((thrown) => {
          if (!isOver) end();
          reject(thrown);
        });
    });
  }

  onTerminalInput: ExtensionUIContext["onTerminalInput"] = (handler) => {
    const off = this.#around.stage.screen.addInputListener((data) => {
      try {
        return handler(data);
      } catch (thrown) {
        off();
        this.notify(`A listener of the keyboard failed and is gone: ${String(thrown)}`, "error");
        return undefined;
      }
    });
    this.#cleanups.add(off);
    return off;
  };

  pasteToEditor(text: string): void {
    this.#around.editorText.paste(text);
    this.#draw();
  }

  setEditorText(text: string): void {
    this.#around.editorText.set(text);
    this.#draw();
  }

  getEditorText(): string {
    return this.#around.editorText.get();
  }

  addAutocompleteProvider(wrap: (current: AutocompleteProvider) => AutocompleteProvider): void {
    this.#around.wrapCompletions(wrap);
  }

  setEditorComponent(factory: EditorFactory | undefined): void {
    this.#editorFactory = factory;
    this.#around.setEditorFactory(factory);
    this.#draw();
  }

  getEditorComponent(): EditorFactory | undefined {
    return this.#editorFactory;
  }

  get theme(): Theme {
    return this.#around.stage.theme;
  }

  getAllThemes(): { name: string; path: string | undefined }[] {
    return this.#around.themes
      .list()
      .map(({ name = "", sourcePath }) => ({ name, path: sourcePath }));
  }

  getTheme(name: string): Theme | undefined {
    return this.#around.themes.named(name);
  }

  setTheme(theme: string | Theme): { success: boolean; error?: string } {
    return this.#around.themes.use(theme);
  }

  getToolsExpanded(): boolean {
    return this.#around.stage.look.toolsExpanded;
  }

  setToolsExpanded(expanded: boolean): void {
    this.#around.stage.look.toolsExpanded = expanded;
    this.#around.stage.look.changed();
  }

  /** The session is over: what its extensions put on the screen goes with them. */
  clear(): void {
    const { stage, statuses } = this.#around;
    for (const cleanup of [...this.#cleanups]) cleanup();
    this.#cleanups.clear();
    for (const place of [stage.above, stage.below]) {
      for (const widget of place.values()) if (widget instanceof Guarded) widget.dispose();
      place.clear();
    }
    statuses.clear();
    this.#around.setHeader(undefined);
    this.#around.setFooter(undefined);
    if (this.#editorFactory) this.setEditorComponent(undefined);
    stage.working.setMessage(undefined);
    stage.working.setIndicator(undefined);
    stage.working.setVisible(true);
    stage.look.hiddenThinkingLabel = "Thinking…";
    this.#draw();
  }

  guarded(make: () => Component, what: string): Guarded {
    return this.#make(make, what);
  }

  #make(factory: (...args: Parameters<ComponentFactory>) => Component, what: string): Guarded {
    const { screen, theme } = this.#around.stage;
    let inner: Component;
    try {
      inner = factory(screen, theme);
    } catch (thrown) {
      inner = {
        render: () => {
          throw thrown;
        },
        invalidate() {},
      };
    }
    return this.#guard(inner, what);
  }

  #guard(component: Component, what: string, maxLines = this.#around.stage.room): Guarded {
    const { stage } = this.#around;
    return new Guarded(component, {
      what,
      theme: stage.theme,
      maxLines,
      onError: (text) => this.notify(text, "error"),
    });
  }

  #lines(content: readonly string[]): Component {
    const shown = content.slice(0, MOST_WIDGET_LINES);
    const left = content.length - shown.length;
    const { theme } = this.#around.stage;
    const lines = left > 0 ? [...shown, theme.fg("dim", `… ${left} more lines`)] : shown;
    const box = new Container();
    for (const line of lines) box.addChild(new Text(String(line), 1, 0));
    return box;
  }

  #draw(): void {
    this.#around.stage.screen.requestRender();
  }
}

/** Without other wishes, a component that says how wide it is gets that width. */
function ownWidth(component: Component): OverlayOptions {
  return "width" in component && typeof component.width === "number"
    ? { width: component.width }
    : {};
}

const TIMES = 3;
const WITHIN_MS = 1_500;

/** A way out of a component that does not close: ctrl+c three times. */
class Held implements Component {
  readonly #inner: Guarded;
  readonly #leave: () => void;
  #pressed: number[] = [];

  constructor(inner: Guarded, leave: () => void) {
    this.#inner = inner;
    this.#leave = leave;
  }

  get focused(): boolean {
    return this.#inner.focused;
  }

  set focused(focused: boolean) {
    this.#inner.focused = focused;
  }

  get wantsKeyRelease(): boolean {
    return this.#inner.wantsKeyRelease;
  }

  render(width: number): string[] {
    return this.#inner.render(width);
  }

  invalidate(): void {
    this.#inner.invalidate();
  }

  handleInput(data: string): void {
    if (data === "\u0003" || data === "\u001b[99;5u") {
      const now = Date.now();
      this.#pressed = [...this.#pressed.filter((at) => now - at < WITHIN_MS), now];
      if (this.#pressed.length >= TIMES) {
        this.#leave();
        return;
      }
    }
    this.#inner.handleInput(data);
  }
}
