import { SelectList, type SelectListTheme } from "../components/select-list.ts";
import type { BufferState } from "../editing/text-buffer.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import type { AutocompleteItem, AutocompleteProvider } from "./autocomplete-provider.ts";

export interface Proposal {
  readonly item: AutocompleteItem;
  readonly prefix: string;
}

/** Where the cursor is, in the order a provider takes it. */
type Place = [lines: string[], line: number, col: number];

/** The list of proposals below an editor. */
export class Completion {
  readonly #theme: SelectListTheme;
  readonly #onUpdate: () => void;
  readonly #onOnlyChoice: (proposal: Proposal) => void;
  #provider: AutocompleteProvider | undefined;
  #request: AbortController | undefined;
  #open: { list: SelectList; prefix: string } | undefined;
  maxVisible: number;

  constructor(
    theme: SelectListTheme,
    maxVisible: number,
    onUpdate: () => void,
    onOnlyChoice: (proposal: Proposal) => void,
  ) {
    this.#theme = theme;
    this.maxVisible = maxVisible;
    this.#onUpdate = onUpdate;
    this.#onOnlyChoice = onOnlyChoice;
  }

  set provider(provider: AutocompleteProvider) {
    this.close();
    this.#provider = provider;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The text after a proposal was taken. */
  apply({ lines, cursor }: BufferState, { item, prefix }: Proposal): BufferState | undefined {
    const done = this.#provider?.applyCompletion([...lines], cursor.line, cursor.col, item, prefix);
    return done && { lines: done.lines, cursor: { line: done.cursorLine, col: done.cursorCol } };
  }

  /** Asks for proposals. `force`: the user pressed tab and wants some wherever the cursor is. */
  request({ lines, cursor }: BufferState, force: boolean): void {
    const provider = this.#provider;
    if (!provider) return;
    const at: Place = [[...lines], cursor.line, cursor.col];
    if (force && provider.shouldTriggerFileCompletion?.(...at) === false) return;
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    void this.#load(provider, at, request.signal, force);
  }

  /** Returns whether the list used the key, or what was chosen with it. */
  press(data: string): boolean | (Proposal & { readonly confirmed: boolean }) {
    const open = this.#open;
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.close();
    else if (keys.matches(data, "tui.select.up") || keys.matches(data, "tui.select.down")) {
      open?.list.handleInput(data);
    } else {
      const confirmed = keys.matches(data, "tui.select.confirm");
      const item = open?.list.getSelectedItem();
      if (!open || !item || !(confirmed || keys.matches(data, "tui.input.tab"))) return false;
      return { item, prefix: open.prefix, confirmed };
    }
    return true;
  }

  close(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#open = undefined;
  }

  render(width: number): string[] {
    return this.#open?.list.render(width) ?? [];
  }

  async #load(
    provider: AutocompleteProvider,
    at: Place,
    signal: AbortSignal,
    force: boolean,
  ): Promise<void> {
    // A provider that fails has no proposals; typing must go on.
    const found = await Promise.resolve()
      .then(() => provider.getSuggestions(...at, { signal, force }))
      .catch(() => null);
    // The text has changed since: these proposals are for one that is gone.
    if (signal.aborted) return;
    const items = found?.items ?? [];
    const prefix = found?.prefix ?? "";
    const [only, second] = items;
    this.#open = undefined;
    if (force && only && !second) this.#onOnlyChoice({ item: only, prefix });
    else if (only) this.#show(items, prefix);
    this.#onUpdate();
  }

  #show(items: AutocompleteItem[], prefix: string): void {
    const list = new SelectList(items, this.maxVisible, this.#theme);
    const exact = items.findIndex((item) => item.value === prefix);
    const near = items.findIndex((item) => item.value.startsWith(prefix));
    list.setSelectedIndex(exact === -1 ? near : exact);
    this.#open = { list, prefix };
  }
}

/** Whether proposals come up by themselves: in a command, or behind `@` or `#`. */
export function isCompletable({ lines, cursor }: BufferState): boolean {
  const before = (lines[cursor.line] ?? "").slice(0, cursor.col);
  const inCommand = cursor.line === 0 && before.trimStart().startsWith("/");
  return inCommand || /(?:^|\s)[@#]\S*$/.test(before);
}
