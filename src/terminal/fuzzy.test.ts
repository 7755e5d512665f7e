import { expect, test } from "vitest";
import { fuzzyFilter, fuzzyMatch } from "./fuzzy.ts";

const same = (text: string) => text;

test("the characters must occur in order, whatever their case", () => {
  expect(fuzzyMatch("slct", "SelectList").matches).toBe(true);
  expect(fuzzyMatch("tcls", "SelectList").matches).toBe(false);
  expect(fuzzyMatch("", "anything").matches).toBe(true);
});

test("closer matches come first", () => {
  expect(fuzzyFilter(["xaxpxp", "happy", "app", "apply"], "app", same)).toEqual([
    "app",
    "apply",
    "happy",
    "xaxpxp",
  ]);
});

test("every word must match", () => {
  expect(fuzzyFilter(["read file", "write file", "read dir"], "file read", same)).toEqual([
    "read file",
  ]);
});

test("letters and digits may be given in the other order", () => {
  expect(fuzzyFilter(["5-gpt", "claude"], "gpt5", same)).toEqual(["5-gpt"]);
});

test("no query keeps everything as it was", () => {
  expect(fuzzyFilter(["b", "a"], "  ", same)).toEqual(["b", "a"]);
});
