import { expect, test, vi } from "vitest";
import { getSelectListTheme } from "../component-themes.ts";
import { plainTheme } from "../theme/theme.ts";
import { SelectList, type SelectListLayoutOptions } from "./select-list.ts";

const UP = "\u001b[A";
const DOWN = "\u001b[B";
const items = ["alpha", "beta", "gamma", "delta"].map((value) => ({
  value,
  label: value.toUpperCase(),
  description: `about\n${value}`,
}));

function listOf(visible: number, layout?: SelectListLayoutOptions): SelectList {
  return new SelectList(items, visible, getSelectListTheme(plainTheme()), layout);
}

test("the selected item is marked, and a long list tells where it is", () => {
  const list = listOf(2);
  list.handleInput(DOWN);
  expect(list.render(20)).toEqual(["  ALPHA", "→ BETA", "  (2/4)"]);
});

test("descriptions stand in a column of their own where there is room", () => {
  expect(listOf(1, { maxPrimaryColumnWidth: 10 }).render(60)[0]).toBe("→ ALPHA     about alpha");
});

test("past an end the other end follows", () => {
  const list = listOf(4);
  list.handleInput(UP);
  expect(list.getSelectedItem()?.value).toBe("delta");
  list.handleInput(DOWN);
  expect(list.getSelectedItem()?.value).toBe("alpha");
});

test("choosing, moving and cancelling are reported", () => {
  const list = listOf(4);
  list.onSelect = vi.fn();
  list.onCancel = vi.fn();
  list.onSelectionChange = vi.fn();
  list.handleInput(DOWN);
  list.handleInput("\r");
  list.handleInput("\u001b");
  expect(list.onSelectionChange).toHaveBeenCalledWith(items[1]);
  expect(list.onSelect).toHaveBeenCalledWith(items[1]);
  expect(list.onCancel).toHaveBeenCalledOnce();
});

test("a filter keeps what starts with it; without a match there is nothing to choose", () => {
  const list = listOf(4);
  list.onSelect = vi.fn();
  list.setFilter("GA");
  expect(list.getSelectedItem()?.value).toBe("gamma");
  list.setFilter("zz");
  expect(list.getSelectedItem()).toBeNull();
  list.handleInput(UP);
  list.handleInput("\r");
  expect(list.onSelect).not.toHaveBeenCalled();
  expect(list.render(30)).toEqual(["  No matching items"]);
});

test("labels can be shortened in their own way", () => {
  const list = listOf(1, {
    truncatePrimary: ({ text, maxWidth }) => `…${text.slice(1 - maxWidth)}`,
  });
  expect(list.render(8)[0]).toBe("→ …PHA");
});
