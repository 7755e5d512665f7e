import {
  type Component,
  type Focusable,
  fuzzyFilter,
  getKeybindings,
  getSelectListTheme,
  Input,
  keyText,
  type SelectItem,
  SelectList,
  safeText,
  type Theme,
  truncateToWidth,
  wrapTextWithAnsi,
} from "../../terminal/index.ts";

export interface FilterListOptions {
  readonly title: string;
  readonly items: readonly SelectItem[];
  readonly theme: Theme;
  readonly rows: () => number;
  /** The item that is chosen at first. */
  readonly selected?: string;
  readonly hint?: string;
  /** What stands in the place of the items as long as there are none. */
  readonly empty?: string;
  /** Other choices of what is in the list, one after the other with a key. */
  readonly views?: readonly { readonly name: string; readonly items: readonly SelectItem[] }[];
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
  #options: FilterListOptions;
  readonly #input = new Input();
  #list: SelectList;
  #filter = "";
  /** Which of the views is shown; the items themselves come before the first. */
  #view = -1;

  constructor(options: FilterListOptions) {
    this.#options = options;
    this.#list = this.#listOf(options.items);
    const at = options.items.findIndex(({ value }) => value === options.selected);
    if (at !== -1) this.#list.setSelectedIndex(at);
  }

  /** There is something else to choose from: what is typed and what is chosen stay. */
  update(title: string, items: readonly SelectItem[]): void {
    this.#options = { ...this.#options, title, items };
    const selected = this.#list.getSelectedItem()?.value;
    this.#narrow();
    const at = this.#shown().findIndex(({ value }) => value === selected);
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
    const { views = [] } = this.#options;
    const next = views[((this.#view + 2) % (views.length + 1)) - 1]?.name ?? "the usual ones";
    const more = views.length > 0 ? `, ${keyText("app.tree.filter.cycleForward")}: ${next}` : "";
    const cut = (text: string) => truncateToWidth(text, width, "…");
    const { empty = "Nothing to choose from." } = this.#options;
    const nothing = wrapTextWithAnsi(theme.fg("muted", empty), width);
    return [
      theme.fg("borderAccent", "─".repeat(width)),
      theme.bold(cut(safeText(title))),
      ...this.#input.render(width),
      ...(this.#items().length === 0 ? nothing : this.#list.render(width)),
      theme.fg("dim", cut(hint + more)),
    ];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (MOVES.some((move) => keys.matches(data, move))) {
      this.#list.handleInput(data);
      return;
    }
    const { views = [] } = this.#options;
    if (views.length > 0 && keys.matches(data, "app.tree.filter.cycleForward")) {
      const selected = this.#list.getSelectedItem()?.value;
      this.#view = ((this.#view + 2) % (views.length + 1)) - 1;
      this.#narrow();
      const at = this.#items().findIndex(({ value }) => value === selected);
      if (this.#filter === "" && at !== -1) this.#list.setSelectedIndex(at);
      return;
    }
    this.#input.handleInput(data);
    const filter = this.#input.getValue();
    if (filter === this.#filter) return;
    this.#filter = filter;
    this.#narrow();
  }

  #items(): readonly SelectItem[] {
    return this.#options.views?.[this.#view]?.items ?? this.#options.items;
  }

  /**
   * Those of the items that fit what is typed. Those that have it word for word come first: letters that
   * stand apart are found in many a long line, and whoever types a word has read it.
   */
  #shown(): readonly SelectItem[] {
    const items = this.#items();
    if (this.#filter === "") return items;
    const text = ({ label, description = "" }: SelectItem) => `${label} ${description}`;
    const words = this.#filter.toLowerCase().split(/\s+/);
    const isLiteral = (item: SelectItem) =>
      words.every((word) => text(item).toLowerCase().includes(word));
    const found = fuzzyFilter([...items], this.#filter, text);
    return [...found.filter(isLiteral), ...found.filter((item) => !isLiteral(item))];
  }

  #narrow(): void {
    this.#list = this.#listOf(this.#shown());
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
