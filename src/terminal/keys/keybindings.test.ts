import { afterEach, expect, test } from "vitest";
import { getSelectListTheme } from "../component-themes.ts";
import { SelectList } from "../components/select-list.ts";
import { keyHint, keyText } from "../theme/key-hints.ts";
import { plainTheme } from "../theme/theme.ts";
import { getKeybindings, KeybindingsManager, setKeybindings } from "./keybindings.ts";
import { readKeybindings } from "./keybindings-file.ts";

afterEach(() => setKeybindings(new KeybindingsManager()));

test("an action is triggered by any of its keys, and not by letting one go", () => {
  const keys = getKeybindings();
  expect(keys.matches("\u001b", "tui.select.cancel")).toBe(true);
  expect(keys.matches("\u0003", "tui.select.cancel")).toBe(true);
  expect(keys.matches("\u001b[27;1:3u", "tui.select.cancel")).toBe(false);
});

test("keys the user changed count in every component", () => {
  setKeybindings(new KeybindingsManager(undefined, { "tui.select.down": ["ctrl+n"] }));
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

test("an extension defines actions of its own, and is told which keys were given away twice", () => {
  const own = {
    "game.jump": { defaultKeys: "space" },
    "game.duck": { defaultKeys: ["d", "down"] },
  } as const;
  const keys = new KeybindingsManager(own, { "game.jump": "j" });
  expect(keys.matches("j", "game.jump")).toBe(true);
  expect(keys.matches(" ", "game.jump")).toBe(false);
  expect(keys.getKeys("tui.select.up")).toEqual([]);
  expect(keys.getResolvedBindings()).toEqual({ "game.jump": "j", "game.duck": ["d", "down"] });
  keys.setUserBindings({ "game.jump": ["x", "x"], "game.duck": "x", "game.other": "x" });
  expect(keys.getConflicts()).toEqual([{ key: "x", keybindings: ["game.jump", "game.duck"] }]);
  expect(keys.getDefinition("constructor")).toBeUndefined();
});

test("an action keeps its usual keys if the file has none for it that exists", () => {
  const { keys, problems } = readKeybindings(
    '{ "tui.input.submit": 5, "tui.select.up": ["hyper+a", "ctrl+p"], "tui.select.down": [] }',
  );
  expect(problems).toEqual([
    '"tui.input.submit": 5 is no key.',
    '"tui.select.up": "hyper+a" is no key.',
  ]);
  const manager = new KeybindingsManager(undefined, keys);
  expect(manager.getKeys("tui.input.submit")).toEqual(["enter"]);
  expect(manager.getKeys("tui.select.up")).toEqual(["ctrl+p"]);
  expect(manager.getKeys("tui.select.down")).toEqual([]);
});
