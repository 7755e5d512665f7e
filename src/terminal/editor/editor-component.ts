import type { Component } from "../component.ts";
import type { SelectListTheme } from "../components/select-list.ts";
import type { Paint } from "../text/background.ts";
import type { AutocompleteProvider } from "./autocomplete-provider.ts";

export interface EditorTheme {
  borderColor: Paint;
  selectList: SelectListTheme;
}

export interface EditorOptions {
  paddingX?: number;
  autocompleteMaxVisible?: number;
}

/** What an extension must offer to stand in for the prompt's editor. */
export interface EditorComponent extends Component {
  getText(): string;
  setText(text: string): void;
  handleInput(data: string): void;
  onSubmit?: (text: string) => void;
  onChange?: (text: string) => void;
  addToHistory?(text: string): void;
  insertTextAtCursor?(text: string): void;
  /** The text with every placeholder replaced by what it stands for. */
  getExpandedText?(): string;
  setAutocompleteProvider?(provider: AutocompleteProvider): void;
  borderColor?: Paint;
  setPaddingX?(padding: number): void;
  setAutocompleteMaxVisible?(maxVisible: number): void;
}
