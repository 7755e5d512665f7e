import type { Component } from "../component.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import type { Paint } from "../text/background.ts";
import { singleLine } from "../text/single-line.ts";
import { truncateToWidth } from "../text/truncate.ts";
import { visibleWidth } from "../text/width.ts";
import { listWindow, wrapAround } from "./list-window.ts";

export interface SelectItem {
  value: string;
  label: string;
  description?: string;
}

export interface SelectListTheme {
  selectedPrefix: Paint;
  selectedText: Paint;
  description: Paint;
  scrollInfo: Paint;
  noMatch: Paint;
}

export interface SelectListTruncatePrimaryContext {
  text: string;
  maxWidth: number;
  columnWidth: number;
  item: SelectItem;
  isSelected: boolean;
}

export interface SelectListLayoutOptions {
  minPrimaryColumnWidth?: number;
  maxPrimaryColumnWidth?: number;
  /** Shortens a label in its own way, for example by cutting a path at the front. */
  truncatePrimary?: (context: SelectListTruncatePrimaryContext) => string;
}

const COLUMN_WIDTH = 32;
const COLUMN_GAP = 2;
const PREFIX_WIDTH = 2;
const RIGHT_MARGIN = 2;
/** Below these widths a description would only take space away from the label. */
const MIN_WIDTH_FOR_DESCRIPTIONS = 40;
const MIN_DESCRIPTION_WIDTH = 10;

/** A list to choose one item from. */
export class SelectList implements Component {
  readonly #items: SelectItem[];
  readonly #maxVisible: number;
  readonly #theme: SelectListTheme;
  readonly #layout: SelectListLayoutOptions;
  #shown: SelectItem[];
  #selected = 0;
  onSelect?: (item: SelectItem) => void;
  onCancel?: () => void;
  onSelectionChange?: (item: SelectItem) => void;

  constructor(
    items: SelectItem[],
    maxVisible: number,
    theme: SelectListTheme,
    layout: SelectListLayoutOptions = {},
  ) {
    this.#items = items;
    this.#shown = items;
    this.#maxVisible = maxVisible;
    this.#theme = theme;
    this.#layout = layout;
  }

  /** Shows only items whose value starts with this. */
  setFilter(filter: string): void {
    const start = filter.toLowerCase();
    this.#shown = this.#items.filter((item) => item.value.toLowerCase().startsWith(start));
    this.#selected = 0;
  }

  setSelectedIndex(index: number): void {
    this.#selected = Math.max(0, Math.min(index, this.#shown.length - 1));
  }

  getSelectedItem(): SelectItem | null {
    return this.#shown[this.#selected] ?? null;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const total = this.#shown.length;
    if (total === 0) return [this.#theme.noMatch(truncateToWidth("  No matching items", width))];
    const { start, end } = listWindow(this.#selected, total, this.#maxVisible);
    const column = this.#columnWidth();
    const lines = this.#shown
      .slice(start, end)
      .map((item, row) => this.#row(item, start + row === this.#selected, width, column));
    if (end - start < total) {
      const position = truncateToWidth(`  (${this.#selected + 1}/${total})`, width, "");
      lines.push(this.#theme.scrollInfo(position));
    }
    return lines;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const page = Math.max(1, this.#maxVisible);
    if (keys.matches(data, "tui.select.up")) this.#moveTo(this.#neighbour(-1));
    else if (keys.matches(data, "tui.select.down")) this.#moveTo(this.#neighbour(1));
    else if (keys.matches(data, "tui.select.pageUp")) this.#moveTo(this.#selected - page);
    else if (keys.matches(data, "tui.select.pageDown")) this.#moveTo(this.#selected + page);
    else if (keys.matches(data, "tui.select.confirm")) this.#confirm();
    else if (keys.matches(data, "tui.select.cancel")) this.onCancel?.();
  }

  #neighbour(step: number): number {
    return wrapAround(this.#selected, step, this.#shown.length);
  }

  #moveTo(index: number): void {
    this.setSelectedIndex(index);
    const item = this.getSelectedItem();
    if (item) this.onSelectionChange?.(item);
  }

  #confirm(): void {
    const item = this.getSelectedItem();
    if (item) this.onSelect?.(item);
  }

  #row(item: SelectItem, isSelected: boolean, width: number, column: number): string {
    const prefix = isSelected ? "→ " : "  ";
    const description = this.#description(item, isSelected, width, column);
    const label = description?.label ?? this.#label(item, isSelected, this.#labelRoom(width));
    // The text is cut before it is painted, so that the theme always closes its colours.
    const head = truncateToWidth(prefix + label, width, "");
    const tail = description?.text ?? "";
    if (isSelected) return this.#theme.selectedText(head + tail);
    return head + (tail ? this.#theme.description(tail) : "");
  }

  #description(
    item: SelectItem,
    isSelected: boolean,
    width: number,
    column: number,
  ): { label: string; text: string } | undefined {
    const text = singleLine(item.description ?? "");
    if (text === "" || width <= MIN_WIDTH_FOR_DESCRIPTIONS) return undefined;
    const columnWidth = Math.min(column, width - PREFIX_WIDTH - 4);
    const label = this.#label(item, isSelected, Math.max(1, columnWidth - COLUMN_GAP), columnWidth);
    const spacing = Math.max(1, columnWidth - visibleWidth(label));
    const room = width - PREFIX_WIDTH - visibleWidth(label) - spacing - RIGHT_MARGIN;
    if (room <= MIN_DESCRIPTION_WIDTH) return undefined;
    return { label, text: " ".repeat(spacing) + truncateToWidth(text, room, "") };
  }

  #label(item: SelectItem, isSelected: boolean, maxWidth: number, columnWidth = maxWidth): string {
    const text = displayName(item);
    const shorten = this.#layout.truncatePrimary;
    const label = shorten ? shorten({ text, maxWidth, columnWidth, item, isSelected }) : text;
    return truncateToWidth(singleLine(label), maxWidth, "");
  }

  #labelRoom(width: number): number {
    return Math.max(0, width - PREFIX_WIDTH - RIGHT_MARGIN);
  }

  #columnWidth(): number {
    const { minPrimaryColumnWidth: low, maxPrimaryColumnWidth: high } = this.#layout;
    const bounds = [low ?? high ?? COLUMN_WIDTH, high ?? low ?? COLUMN_WIDTH];
    const widest = Math.max(...this.#shown.map((item) => visibleWidth(displayName(item))));
    return Math.max(1, Math.min(...bounds), Math.min(widest + COLUMN_GAP, Math.max(...bounds)));
  }
}

function displayName(item: SelectItem): string {
  return singleLine(item.label || item.value);
}
