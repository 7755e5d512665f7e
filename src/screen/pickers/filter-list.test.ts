import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { liveTheme } from "../../terminal/index.ts";
import { FilterList } from "./filter-list.ts";

const items = (...names: string[]) => names.map((name) => ({ value: name, label: name }));

function listOf(...names: string[]) {
  const chosen: (string | undefined)[] = [];
  const list = new FilterList({
    title: "Looms",
    items: items(...names),
    theme: liveTheme(),
    rows: () => 24,
    done: (value) => chosen.push(value),
  });
  const shown = () => list.render(40).map(stripVTControlCharacters).join("\n");
  return { list, chosen, shown };
}

const DOWN = "\x1b[B";

test("what is chosen stays chosen when the list changes, wherever it is then", () => {
  const { list, chosen, shown } = listOf("warp", "weft", "wool");
  list.handleInput(DOWN);
  list.update("More looms", items("dye", "warp", "wool", "weft"));
  expect(shown()).toContain("More looms");
  list.handleInput("\r");
  expect(chosen).toEqual(["weft"]);
});

test("what is typed still narrows a list that changes", () => {
  const { list, chosen, shown } = listOf("warp", "weft", "wool");
  for (const key of "wo") list.handleInput(key);
  list.update("Looms", items("shuttle", "wood", "wool"));
  expect(shown()).toMatch(/> wo/);
  expect(shown()).not.toContain("shuttle");
  list.handleInput("\r");
  expect(chosen).toEqual(["wool"]);
});

test("when what was chosen is gone, the first one is chosen", () => {
  const { list, chosen } = listOf("warp", "weft");
  list.handleInput(DOWN);
  list.update("Looms", items("warp", "wool"));
  list.handleInput("\r");
  expect(chosen).toEqual(["warp"]);
});

test("a list without anything in it says why, and not that nothing fits", () => {
  const { list, shown } = listOf();
  expect(shown()).toContain("Nothing to choose from.");
  list.update("Looms", items("warp"));
  for (const key of "zz") list.handleInput(key);
  expect(shown()).toContain("No matching items");
});

test("chooses what has a word as it was typed before what has its letters here and there", () => {
  const { list, chosen } = listOf("ship-tin: weave the cloth", "ship-tin: spin the wool");
  for (const key of "spin") list.handleInput(key);
  list.handleInput("\r");
  expect(chosen).toEqual(["ship-tin: spin the wool"]);
});
