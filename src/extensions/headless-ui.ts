import { defaultTheme } from "../terminal/index.ts";
import type { ExtensionUIContext } from "./api/ui.ts";

/**
 * The user interface where there is nobody: questions are answered "no", nothing is shown.
 *
 * @example
 * const ui = headlessUI();
 * await ui.confirm("Deploy?", "To production."); // false
 */
export function headlessUI(): ExtensionUIContext {
  const theme = defaultTheme();
  let editor: ReturnType<ExtensionUIContext["getEditorComponent"]>;
  let editorText = "";
  let toolsExpanded = false;
  return {
    select: async () => undefined,
    confirm: async () => false,
    input: async () => undefined,
    editor: async () => undefined,
    // There is no terminal to draw on: as in Pi, the component is never made.
    custom: async <T>() => undefined as T,
    notify: () => {},
    setStatus: () => {},
    setWidget: () => {},
    setTitle: () => {},
    setFooter: () => {},
    setHeader: () => {},
    setWorkingMessage: () => {},
    setWorkingVisible: () => {},
    setWorkingIndicator: () => {},
    setHiddenThinkingLabel: () => {},
    onTerminalInput: () => () => {},
    pasteToEditor: (text) => {
      editorText += text;
    },
    setEditorText: (text) => {
      editorText = text;
    },
    getEditorText: () => editorText,
    addAutocompleteProvider: () => {},
    setEditorComponent: (factory) => {
      editor = factory;
    },
    getEditorComponent: () => editor,
    theme,
    getAllThemes: () => [],
    getTheme: () => undefined,
    setTheme: () => ({ success: false, error: "There is no terminal." }),
    getToolsExpanded: () => toolsExpanded,
    setToolsExpanded: (expanded) => {
      toolsExpanded = expanded;
    },
  };
}
