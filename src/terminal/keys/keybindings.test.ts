import { afterEach, expect, test } from "vitest";
import { getSelectListTheme } from "../component-themes.ts";
import { SelectList } from "../components/select-list.ts";
import { keyHint, keyText } from "../theme/key-hints.ts";
import { plainTheme } from "../theme/theme.ts";
import { getKeybindings, KeybindingsManager, setKeybindings } from "./keybindings.ts";

afterEach(() => setKeybindings(new KeybindingsManager()));

test("an action is triggered by any of its keys, and not by letting one go", () => {
  const keys = getKeybindings();
  expect(keys.matches("\u001b", "tui.select.cancel")).toBe(true);
  expect(keys.matches("\u0003", "tui.select.cancel")).toBe(true);
  expect(keys.matches("\u001b[27;1:3u", "tui.select.cancel")).toBe(false);
});

test("keys the user changed count in every component", () => {
  setKeybindings(new KeybindingsManager({ "tui.select.down": ["ctrl+n"] }));
  const items = ["a", "b"].map((value) => ({ value, label: value }));
  const list = new SelectList(items, 5, getSelectListTheme());
  list.handleInput("\u001b[B");
  expect(list.getSelectedItem()?.value).toBe("a");
  list.handleInput("\u000e");
  expect(list.getSelectedItem()?.value).toBe("b");
});

test("hints name the keys", () => {
  expect(keyText("tui.select.cancel")).toBe("escape/ctrl+c");
  expect(keyHint("tui.select.confirm", "choose", plainTheme())).toBe("enter choose");
});
