import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines, showDiff } from "./show-diff.ts";

const someLines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 });

test("the diff leads from the old lines to the new ones", () => {
  fc.assert(
    fc.property(someLines, someLines, (before, after) => {
      const changes = diffLines(before, after);
      const side = (without: string) =>
        changes.filter(({ kind }) => kind !== without).map(({ line }) => line);
      expect(side("added")).toEqual(before);
      expect(side("removed")).toEqual(after);
    }),
  );
});

test("no shorter diff exists", () => {
  fc.assert(
    fc.property(someLines, someLines, (before, after) => {
      const same = diffLines(before, after).filter(({ kind }) => kind === "same").length;
      expect(same).toBe(longestCommon(before, after));
    }),
  );
});

function longestCommon(before: string[], after: string[]): number {
  let row = after.map(() => 0);
  for (const line of before) {
    let diagonal = 0;
    let left = 0;
    row = after.map((other, index) => {
      const above = row[index] ?? 0;
      left = line === other ? diagonal + 1 : Math.max(above, left);
      diagonal = above;
      return left;
    });
  }
  return row.at(-1) ?? 0;
}

test("changes are shown with line numbers and four lines around them", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `l${index + 1}`);
  const before = `${lines.join("\n")}\n`;
  const after = before.replace("l10\n", "new\nmore\n").replace("l25\n", "");
  const { diff, firstChangedLine } = showDiff(before, after);
  expect(firstChangedLine).toBe(10);
  expect(diff.split("\n")).toEqual([
    "    ...",
    "  6 l6",
    "  7 l7",
    "  8 l8",
    "  9 l9",
    "-10 l10",
    "+10 new",
    "+11 more",
    " 11 l11",
    " 12 l12",
    " 13 l13",
    " 14 l14",
    "    ...",
    " 21 l21",
    " 22 l22",
    " 23 l23",
    " 24 l24",
    "-25 l25",
    " 26 l26",
    " 27 l27",
    " 28 l28",
    " 29 l29",
    "    ...",
  ]);
});

test("a line break missing at the end shows as a change", () => {
  expect(showDiff("a\n", "a").diff).toBe(" 1 a\n-2 ");
  expect(showDiff("a\r\nb\r\n", "a\r\nc\r\n").diff).toBe(" 1 a\n-2 b\n+2 c");
});

test("two texts with nothing in common are a replacement", () => {
  const many = (name: string) => Array.from({ length: 20_000 }, (_, index) => `${name}${index}`);
  const kinds = diffLines(many("a"), many("b")).map(({ kind }) => kind);
  expect(kinds.slice(0, 20_000).every((kind) => kind === "removed")).toBe(true);
  expect(kinds.slice(20_000).every((kind) => kind === "added")).toBe(true);
  expect(kinds).toHaveLength(40_000);
});
