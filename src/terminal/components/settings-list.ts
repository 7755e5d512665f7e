import type { Component } from "../component.ts";
import { fuzzyFilter } from "../fuzzy.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import type { Paint } from "../text/background.ts";
import { singleLine } from "../text/single-line.ts";
import { fitLine, truncateToWidth } from "../text/truncate.ts";
import { visibleWidth } from "../text/width.ts";
import { wrapTextWithAnsi } from "../text/wrap.ts";
import { Input } from "./input.ts";
import { listWindow, wrapAround } from "./list-window.ts";

export interface SettingItem {
  id: string;
  label: string;
  /** The text below the list while the item is selected. */
  description?: string;
  currentValue: string;
  /** The values that confirming goes through, one after the other. */
  values?: string[];
  /** A component to choose the value with; it calls `done` with the choice, or with nothing. */
  submenu?: (currentValue: string, done: (selectedValue?: string) => void) => Component;
}

export interface SettingsListTheme {
  label: (text: string, selected: boolean) => string;
  value: (text: string, selected: boolean) => string;
  description: Paint;
  cursor: string;
  hint: Paint;
}

export interface SettingsListOptions {
  enableSearch?: boolean;
}

const MAX_LABEL_WIDTH = 30;
const HINT = "  Enter/Space to change · Esc to cancel";
const SEARCH_HINT = "  Type to search · Enter/Space to change · Esc to cancel";

/** A list of named values that can be changed in place. */
export class SettingsList implements Component {
  readonly #items: SettingItem[];
  readonly #maxVisible: number;
  readonly #theme: SettingsListTheme;
  readonly #onChange: (id: string, newValue: string) => void;
  readonly #onCancel: () => void;
  readonly #search: Input | undefined;
  #shown: SettingItem[];
  #selected = 0;
  #submenu: Component | undefined;

  constructor(
    items: SettingItem[],
    maxVisible: number,
    theme: SettingsListTheme,
    onChange: (id: string, newValue: string) => void,
    onCancel: () => void,
    options: SettingsListOptions = {},
  ) {
    this.#items = items;
    this.#shown = items;
    this.#maxVisible = maxVisible;
    this.#theme = theme;
    this.#onChange = onChange;
    this.#onCancel = onCancel;
    this.#search = options.enableSearch ? new Input() : undefined;
  }

  updateValue(id: string, newValue: string): void {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item) item.currentValue = newValue;
  }

  invalidate(): void {
    this.#submenu?.invalidate?.();
  }

  render(width: number): string[] {
    if (this.#submenu) return this.#submenu.render(width);
    const hint = this.#theme.hint(this.#search ? SEARCH_HINT : HINT);
    const search = this.#search ? [...this.#search.render(width), ""] : [];
    return [...search, ...this.#body(width), "", truncateToWidth(hint, width)];
  }

  handleInput(data: string): void {
    if (this.#submenu) {
      this.#submenu.handleInput?.(data);
      return;
    }
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (keys.matches(data, "tui.select.down")) this.#move(1);
    else if (keys.matches(data, "tui.select.confirm") || data === " ") this.#activate();
    else if (keys.matches(data, "tui.select.cancel")) this.#onCancel();
    else if (this.#search) this.#filter(this.#search, data);
  }

  #body(width: number): string[] {
    const total = this.#shown.length;
    if (total === 0) {
      const text = this.#items.length === 0 ? "No settings available" : "No matching settings";
      return [this.#theme.hint(truncateToWidth(`  ${text}`, width))];
    }
    const { start, end } = listWindow(this.#selected, total, this.#maxVisible);
    const widest = Math.max(...this.#items.map((item) => visibleWidth(singleLine(item.label))));
    const labelWidth = Math.min(MAX_LABEL_WIDTH, widest);
    const lines = this.#shown
      .slice(start, end)
      .map((item, row) => this.#row(item, start + row === this.#selected, width, labelWidth));
    if (end - start < total) {
      const position = truncateToWidth(`  (${this.#selected + 1}/${total})`, width, "");
      lines.push(this.#theme.hint(position));
    }
    return [...lines, ...this.#describeSelected(width)];
  }

  #row(item: SettingItem, selected: boolean, width: number, labelWidth: number): string {
    const prefix = selected ? this.#theme.cursor : "  ";
    const label = this.#theme.label(fitLine(singleLine(item.label), labelWidth), selected);
    const room = width - visibleWidth(prefix) - labelWidth - 4;
    const value = truncateToWidth(singleLine(item.currentValue), room, "");
    return truncateToWidth(`${prefix}${label}  ${this.#theme.value(value, selected)}`, width);
  }

  #describeSelected(width: number): string[] {
    const description = this.#shown[this.#selected]?.description;
    if (!description) return [];
    const lines = wrapTextWithAnsi(description, Math.max(1, width - 4));
    return [
      "",
      ...lines.map((line) => this.#theme.description(truncateToWidth(`  ${line}`, width))),
    ];
  }

  #move(step: number): void {
    this.#selected = wrapAround(this.#selected, step, this.#shown.length);
  }

  #activate(): void {
    const item = this.#shown[this.#selected];
    if (!item) return;
    if (item.submenu) {
      // A submenu may be done before it was ever shown, from inside the call that makes it.
      let done = false;
      const submenu = item.submenu(item.currentValue, (value) => {
        done = true;
        this.#submenu = undefined;
        if (value !== undefined) this.#change(item, value);
      });
      if (!done) this.#submenu = submenu;
      return;
    }
    const values = item.values ?? [];
    const next = values[(values.indexOf(item.currentValue) + 1) % values.length];
    if (next !== undefined) this.#change(item, next);
  }

  #change(item: SettingItem, value: string): void {
    item.currentValue = value;
    this.#onChange(item.id, value);
  }

  #filter(search: Input, data: string): void {
    search.handleInput(data);
    this.#shown = fuzzyFilter(this.#items, search.getValue(), (item) => item.label);
    this.#selected = 0;
  }
}
