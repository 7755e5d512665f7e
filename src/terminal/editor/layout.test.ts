import fc from "fast-check";
import { expect, test } from "vitest";
import { byGrapheme } from "../editing/segments.ts";
import { visibleWidth } from "../text/width.ts";
import { layoutRows, positionAt, rowOf } from "./layout.ts";

const rowsOf = (lines: string[], width: number) =>
  layoutRows(lines, width, byGrapheme).map(({ line, start, end }) =>
    lines[line]?.slice(start, end),
  );

test("rows are broken between words, and inside a word that is too long", () => {
  expect(rowsOf(["one two three"], 8)).toEqual(["one two ", "three"]);
  expect(rowsOf(["abcdefgh ij"], 3)).toEqual(["abc", "def", "gh ", "ij"]);
  expect(rowsOf(["", "a"], 3)).toEqual(["", "a"]);
});

test("no character gets lost, and only one that is wider than a row makes a row too wide", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", " "));
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1 }),
      fc.integer({ min: 1, max: 20 }),
      (lines, width) => {
        const rows = rowsOf(lines, width);
        expect(rows.join("")).toBe(lines.join(""));
        for (const row of rows) {
          if (visibleWidth(row ?? "") > width) expect(byGrapheme(row ?? "")).toHaveLength(1);
        }
      },
    ),
  );
});

test("every place of the text is in exactly the row that is found for it", () => {
  const lines = ["one two three", "", "four"];
  const rows = layoutRows(lines, 5, byGrapheme);
  for (const [line, text] of lines.entries()) {
    for (let col = 0; col <= text.length; col++) {
      const row = rows[rowOf(rows, { line, col })];
      expect(row).toMatchObject({ line });
      expect(col).toBeGreaterThanOrEqual(row?.start ?? Number.POSITIVE_INFINITY);
      expect(col).toBeLessThanOrEqual(row?.end ?? -1);
    }
  }
});

test("behind the end of a broken row stands the next row, so the cursor stays before it", () => {
  const lines = ["one two"];
  const [first] = layoutRows(lines, 4, byGrapheme);
  expect(first && positionAt(lines, first, 99, byGrapheme, -1)).toEqual({ line: 0, col: 3 });
});
