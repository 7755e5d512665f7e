import { describe, expect, test } from "vitest";
import { visibleWidth } from "./width.ts";

describe("visibleWidth", () => {
  test.each([
    ["", 0],
    ["plain", 5],
    ["日本語", 6],
    ["한국", 4],
    ["ｱ", 1],
    ["👍🏽", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["❤", 1],
    ["❤️", 2],
    ["1️⃣", 2],
    ["e\u0301", 1],
    ["กำ", 2],
    ["a\u200bb", 2],
    ["─→…", 3],
    ["\t", 3],
  ])("%j takes %i columns", (text, columns) => {
    expect(visibleWidth(text)).toBe(columns);
  });

  test("escape sequences take no columns", () => {
    expect(visibleWidth("\u001b[1;38;2;1;2;3mred\u001b[0m")).toBe(3);
    expect(visibleWidth("\u001b]8;;https://a.b/c\u001b\\link\u001b]8;;\u0007")).toBe(4);
    expect(visibleWidth("a\u001b_pi:c\u0007b")).toBe(2);
  });

  test("an escape sequence that never ends is text", () => {
    expect(visibleWidth("\u001b[31")).toBe(3);
  });
});
