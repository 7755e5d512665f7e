import fc from "fast-check";
import { expect, it } from "vitest";
import { ansiRuns, withoutAnsi } from "./ansi.ts";

it("shows text without colours as one run", () => {
  expect(ansiRuns("plain\ntext")).toEqual([{ text: "plain\ntext", classes: "" }]);
});

it("turns colours and weights into classes and ends them where the terminal does", () => {
  expect(ansiRuns("a\x1b[1;31mred\x1b[0m b\x1b[92mgreen\x1b[39m.")).toEqual([
    { text: "a", classes: "" },
    { text: "red", classes: "ink-1 ansi-bold" },
    { text: " b", classes: "" },
    { text: "green", classes: "ink-10" },
    { text: ".", classes: "" },
  ]);
});

it("shows one of 256 colours and a true colour as the nearest that has a name", () => {
  const classes = (text: string) => ansiRuns(text).map((run) => run.classes);
  expect(classes("\x1b[38;5;196mx")).toEqual(["ink-9"]);
  expect(classes("\x1b[48;2;0;200;10mx")).toEqual(["paper-2"]);
  expect(classes("\x1b[38;5;250mx")).toEqual(["ink-7"]);
});

it("swaps ink and paper where the terminal is told to", () => {
  expect(ansiRuns("\x1b[7;31mx")).toEqual([{ text: "x", classes: "ink-7 paper-1" }]);
});

it("leaves out what moves the cursor, sets a title or rings", () => {
  expect(withoutAnsi("\x1b[2K\x1b[1Ga\x1b]0;title\x07b\x07\x1b[?25lc\x1b(B")).toBe("abc");
});

it("keeps of a line that was drawn again what was drawn last", () => {
  expect(withoutAnsi("10 %\r50 %\r100 %\r\ndone")).toBe("100 %\ndone");
});

it("never shows an escape character, whatever the text is", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("\x1b", "\x1b[", "\x1b]", ";38;5", "m", "\r"),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(withoutAnsi(pieces.join(""))).not.toContain("\x1b");
    }),
  );
});
