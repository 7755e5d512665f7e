import {
  type Component,
  type Focusable,
  fuzzyFilter,
  getKeybindings,
  getSelectListTheme,
  Input,
  type SelectItem,
  SelectList,
  safeText,
  type Theme,
  truncateToWidth,
} from "../../terminal/index.ts";

export interface FilterListOptions {
  readonly title: string;
  readonly items: readonly SelectItem[];
  readonly theme: Theme;
  readonly rows: () => number;
  /** The item that is chosen at first. */
  readonly selected?: string;
  readonly hint?: string;
  readonly done: (value: string | undefined) => void;
}

const MOVES = [
  "tui.select.up",
  "tui.select.down",
  "tui.select.pageUp",
  "tui.select.pageDown",
  "tui.select.confirm",
  "tui.select.cancel",
] as const;

/** A list to choose from; what is typed narrows it down. */
export class FilterList implements Component, Focusable {
  readonly #options: FilterListOptions;
  readonly #input = new Input();
  #list: SelectList;
  #filter = "";

  constructor(options: FilterListOptions) {
    this.#options = options;
    this.#list = this.#listOf(options.items);
    const at = options.items.findIndex(({ value }) => value === options.selected);
    if (at !== -1) this.#list.setSelectedIndex(at);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  invalidate(): void {
    this.#list.invalidate();
  }

  render(width: number): string[] {
    const { title, theme, hint = "type to filter, enter: choose, esc: cancel" } = this.#options;
    const cut = (text: string) => truncateToWidth(text, width, "…");
    return [
      theme.fg("borderAccent", "─".repeat(width)),
      theme.bold(cut(safeText(title))),
      ...this.#input.render(width),
      ...this.#list.render(width),
      theme.fg("dim", cut(hint)),
    ];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (MOVES.some((move) => keys.matches(data, move))) {
      this.#list.handleInput(data);
      return;
    }
    this.#input.handleInput(data);
    const filter = this.#input.getValue();
    if (filter === this.#filter) return;
    this.#filter = filter;
    const text = ({ label, description = "" }: SelectItem) => `${label} ${description}`;
    this.#list = this.#listOf(
      filter === "" ? this.#options.items : fuzzyFilter([...this.#options.items], filter, text),
    );
  }

  #listOf(items: readonly SelectItem[]): SelectList {
    const { theme, rows, done } = this.#options;
    const room = Math.max(3, Math.floor(rows() / 2) - 4);
    const shown = items.map((item) => ({
      ...item,
      label: safeText(item.label),
      ...(item.description !== undefined && { description: safeText(item.description) }),
    }));
    const list = new SelectList(shown, room, getSelectListTheme(theme), {
      maxPrimaryColumnWidth: 60,
      minPrimaryColumnWidth: 20,
    });
    list.onSelect = ({ value }) => done(value);
    list.onCancel = () => done(undefined);
    return list;
  }
}
