import type {
  ComponentFactory,
  CustomFactory,
  CustomOptions,
  Disposable,
  EditorFactory,
  ExtensionUIContext,
  FooterFactory,
  WorkingIndicatorOptions,
} from "../../../src/extensions/index.ts";
import type { AutocompleteProvider } from "../../../src/terminal/index.ts";
import type { Answer, UIRecord } from "../../../src/testing/index.ts";
// Around the index: the test host makes its own, and an agent needs one too.
import { scriptedUI } from "../../../src/testing/scripted-ui.ts";
import { keybindings, overlayHandle, Screen } from "./screen.ts";

type AutocompleteFactory = (current: AutocompleteProvider) => AutocompleteProvider;

/** A component of an extension's, as it was drawn and used. */
export interface Shown {
  readonly component: Disposable;
  readonly options: CustomOptions | undefined;
  /** What it drew, before and after each key. */
  readonly frames: string[][];
}

export interface Person {
  readonly ui: ExtensionUIContext;
  readonly seen: UIRecord;
  readonly screen: Screen;
  readonly shown: Shown[];
  /** Every status that was set, in order. */
  readonly statuses: [key: string, text: string | undefined][];
  readonly placements: Map<string, string>;
  readonly thinkingLabels: (string | undefined)[];
  readonly indicators: (WorkingIndicatorOptions | undefined)[];
  readonly workingMessages: (string | undefined)[];
  readonly themes: string[];
  /** What an editor was opened with. */
  readonly prefills: (string | undefined)[];
  readonly autocomplete: AutocompleteFactory[];
  footer: FooterFactory | undefined;
  header: ComponentFactory | undefined;
}

/** What somebody does in front of a component: press a key, or wait so many milliseconds. */
export type Step = string | number;

/**
 * Somebody in front of the agent: answers dialogs from a list, and components with keys. A
 * component is drawn on a screen of 80 columns before and after each key, and is over when it says
 * so itself.
 */
export function person(answers: readonly Answer[], keys: readonly (readonly Step[])[]): Person {
  const { ui, seen } = scriptedUI(answers);
  const screen = new Screen();
  const left = [...keys];
  let editor: EditorFactory | undefined;
  const somebody: Person = {
    seen,
    screen,
    shown: [],
    statuses: [],
    placements: new Map(),
    thinkingLabels: [],
    indicators: [],
    workingMessages: [],
    themes: [],
    prefills: [],
    autocomplete: [],
    footer: undefined,
    header: undefined,
    ui: {
      ...ui,
      setStatus: (key, text) => {
        ui.setStatus(key, text);
        somebody.statuses.push([key, text]);
      },
      setWidget: (key, content, options) => {
        ui.setWidget(key, content, options);
        somebody.placements.set(key, options?.placement ?? "aboveEditor");
      },
      setHiddenThinkingLabel: (label) => void somebody.thinkingLabels.push(label),
      setWorkingIndicator: (options) => void somebody.indicators.push(options),
      setWorkingMessage: (message) => void somebody.workingMessages.push(message),
      setTheme: (theme) => {
        somebody.themes.push(String(theme));
        return { success: true };
      },
      setFooter: (factory) => {
        somebody.footer = factory;
      },
      setHeader: (factory) => {
        somebody.header = factory;
      },
      setEditorComponent: (factory) => {
        editor = factory;
      },
      getEditorComponent: () => editor,
      addAutocompleteProvider: (factory) => void somebody.autocomplete.push(factory),
      editor: (title, prefill) => {
        somebody.prefills.push(prefill);
        return ui.editor(title, prefill);
      },
      custom: (factory, options) => use(somebody, left.shift() ?? [], factory, options),
    },
  };
  return somebody;
}

async function use<T>(
  { ui, screen, shown }: Person,
  steps: readonly Step[],
  factory: CustomFactory<T>,
  options: CustomOptions | undefined,
): Promise<T> {
  let isDone = false;
  let finish: (result: T) => void = () => {};
  const result = new Promise<T>((resolve) => {
    finish = (value) => {
      isDone = true;
      resolve(value);
    };
  });
  const component = await factory(screen, ui.theme, keybindings(), finish);
  const frames: string[][] = [];
  shown.push({ component, options, frames });
  options?.onHandle?.(overlayHandle());
  frames.push(component.render(80));
  for (const step of steps) {
    if (isDone) break;
    if (typeof step === "string") component.handleInput?.(step);
    await new Promise((resolve) => setTimeout(resolve, typeof step === "number" ? step : 0));
    if (!isDone) frames.push(component.render(80));
  }
  const value = await result;
  component.dispose?.();
  return value;
}
