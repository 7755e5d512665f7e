import type {
  AutocompleteProvider,
  Component,
  EditorComponent,
  EditorTheme,
  OverlayHandle,
  OverlayOptions,
  Theme,
  TUI,
} from "../../terminal/index.ts";

/** What closes a dialog before the user does. */
export interface DialogOptions {
  /** Closes the dialog. */
  signal?: AbortSignal;
  /** Closes the dialog after this many milliseconds. */
  timeout?: number;
}

export interface WidgetOptions {
  placement?: "aboveEditor" | "belowEditor";
}

export interface WorkingIndicatorOptions {
  /** Drawn as they are; an empty list hides the indicator. */
  frames?: string[];
  intervalMs?: number;
}

export type TerminalInputHandler = (
  data: string,
) => { consume?: boolean; data?: string } | undefined;

/** Key bindings as a custom component is handed them. */
export interface Keybindings {
  matches(data: string, binding: string): boolean;
  getKeys(binding: string): string[];
}

/** What a custom footer can show that is not known elsewhere. */
export interface FooterData {
  getGitBranch(): string | null;
  getExtensionStatuses(): ReadonlyMap<string, string>;
  getAvailableProviderCount(): number;
  onBranchChange(listener: () => void): () => void;
}

export type Disposable = Component & { dispose?(): void };
export type ComponentFactory = (tui: TUI, theme: Theme) => Disposable;
export type FooterFactory = (tui: TUI, theme: Theme, footerData: FooterData) => Disposable;
export type EditorFactory = (
  tui: TUI,
  theme: EditorTheme,
  keybindings: Keybindings,
) => EditorComponent;
export type CustomFactory<T> = (
  tui: TUI,
  theme: Theme,
  keybindings: Keybindings,
  done: (result: T) => void,
) => Disposable | Promise<Disposable>;

export interface CustomOptions {
  overlay?: boolean;
  overlayOptions?: OverlayOptions | (() => OverlayOptions);
  onHandle?: (handle: OverlayHandle) => void;
}

/** Talking to the person in front of the agent. Without one, questions are answered "no". */
export interface ExtensionUIContext {
  select(title: string, options: string[], opts?: DialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, opts?: DialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, opts?: DialogOptions): Promise<string | undefined>;
  editor(title: string, prefill?: string, opts?: DialogOptions): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
  setStatus(key: string, text: string | undefined): void;
  setWidget(
    key: string,
    content: string[] | ComponentFactory | undefined,
    options?: WidgetOptions,
  ): void;
  setTitle(title: string): void;
  setFooter(factory: FooterFactory | undefined): void;
  setHeader(factory: ComponentFactory | undefined): void;
  setWorkingMessage(message?: string): void;
  setWorkingVisible(visible: boolean): void;
  setWorkingIndicator(options?: WorkingIndicatorOptions): void;
  setHiddenThinkingLabel(label?: string): void;
  custom<T>(factory: CustomFactory<T>, options?: CustomOptions): Promise<T>;
  onTerminalInput(handler: TerminalInputHandler): () => void;
  pasteToEditor(text: string): void;
  setEditorText(text: string): void;
  getEditorText(): string;
  addAutocompleteProvider(factory: (current: AutocompleteProvider) => AutocompleteProvider): void;
  setEditorComponent(factory: EditorFactory | undefined): void;
  getEditorComponent(): EditorFactory | undefined;
  readonly theme: Theme;
  getAllThemes(): { name: string; path: string | undefined }[];
  getTheme(name: string): Theme | undefined;
  setTheme(theme: string | Theme): { success: boolean; error?: string };
  getToolsExpanded(): boolean;
  setToolsExpanded(expanded: boolean): void;
}
