import { expect, test, vi } from "vitest";
import type { Component } from "../component.ts";
import { getSettingsListTheme } from "../component-themes.ts";
import { plainTheme } from "../theme/theme.ts";
import { type SettingItem, SettingsList } from "./settings-list.ts";

const DOWN = "\u001b[B";

function listOf(items: SettingItem[], search = false) {
  const onChange = vi.fn();
  const onCancel = vi.fn();
  const theme = getSettingsListTheme(plainTheme());
  const list = new SettingsList(items, 5, theme, onChange, onCancel, { enableSearch: search });
  return { list, onChange, onCancel };
}

const colors = (): SettingItem[] => [
  {
    id: "color",
    label: "Color",
    currentValue: "on",
    values: ["on", "off"],
    description: "Why not",
  },
  { id: "size", label: "Font size", currentValue: "12" },
];

test("labels and values stand in columns, the description of the selected one below", () => {
  expect(listOf(colors()).list.render(60)).toEqual([
    "→ Color      on",
    "  Font size  12",
    "",
    "  Why not",
    "",
    "  Enter/Space to change · Esc to cancel",
  ]);
});

test("enter and space go through the values", () => {
  const { list, onChange } = listOf(colors());
  list.handleInput("\r");
  list.handleInput(" ");
  expect(onChange.mock.calls).toEqual([
    ["color", "off"],
    ["color", "on"],
  ]);
});

test("an item without values can not be changed", () => {
  const { list, onChange } = listOf(colors());
  list.handleInput(DOWN);
  list.handleInput("\r");
  expect(onChange).not.toHaveBeenCalled();
});

test("escape cancels", () => {
  const { list, onCancel } = listOf(colors());
  list.handleInput("\u001b");
  expect(onCancel).toHaveBeenCalledOnce();
});

test("a submenu takes the place of the list until it is done", () => {
  let finish: (value?: string) => void = () => {};
  const submenu: Component = {
    render: () => ["submenu"],
    handleInput: () => finish("14"),
    invalidate: () => {},
  };
  const items = colors().map((item) => ({
    ...item,
    submenu: (_: string, done: (value?: string) => void) => {
      finish = done;
      return submenu;
    },
  }));
  const { list, onChange } = listOf(items);
  list.handleInput(DOWN);
  list.handleInput("\r");
  expect(list.render(40)).toEqual(["submenu"]);
  list.handleInput("x");
  expect(onChange).toHaveBeenCalledWith("size", "14");
  expect(list.render(40)[1]).toBe("→ Font size  14");
});

test("a submenu that is done at once is never shown", () => {
  const submenu: SettingItem["submenu"] = (_, done) => {
    done();
    return { render: () => ["submenu"], invalidate: () => {} };
  };
  const { list } = listOf([{ id: "a", label: "A", currentValue: "1", submenu }]);
  list.handleInput("\r");
  expect(list.render(40)[0]).toBe("→ A  1");
});

test("typing searches the labels", () => {
  const { list } = listOf(colors(), true);
  for (const key of "siz") list.handleInput(key);
  const lines = list.render(40).join("\n");
  expect(lines).toContain("Font size");
  expect(lines).not.toContain("Color");
});

test("a value can be set from outside", () => {
  const { list } = listOf(colors());
  list.updateValue("size", "16");
  expect(list.render(40)[1]).toBe("  Font size  16");
});
