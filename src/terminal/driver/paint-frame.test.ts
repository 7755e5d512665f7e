import fc from "fast-check";
import { expect, test } from "vitest";
import { CURSOR_MARKER } from "../component.ts";
import { FrameMaker } from "./frame.ts";
import { paintFrame } from "./paint-frame.ts";
import { FakeTerminal } from "./test-kit.ts";

const frame = (lines: readonly string[], columns = 20, rows = 8) =>
  new FrameMaker().make(lines, columns, rows);

const line = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      "word",
      " ",
      "日",
      "é",
      "e\u0301",
      "👍",
      "\x1b[31m",
      "\x1b[0m",
      "\x1b[1;44m",
      "\x1b[39m",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("whatever stood there before, the screen shows the next frame", async () => {
  const lines = fc.array(line, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(lines, { minLength: 2, maxLength: 5 }), async (frames) => {
      const changed = new FakeTerminal(20, 8);
      let before: ReturnType<typeof frame> | undefined;
      for (const one of frames) {
        const next = frame(one);
        changed.write(paintFrame(before, next));
        before = next;
      }
      const fresh = new FakeTerminal(20, 8);
      fresh.write(paintFrame(undefined, frame(frames.at(-1) ?? [])));
      expect(await changed.rowsShown()).toEqual(await fresh.rowsShown());
    }),
  );
});

test("an unchanged screen costs nothing, and a character at the end of a line a few bytes", () => {
  const words = "\x1b[32msome words that";
  const before = frame([words, "below"], 60);
  expect(paintFrame(before, frame([words, "below"], 60))).toBe("");
  const bytes = paintFrame(before, frame([`${words} g`, "below"], 60));
  expect(bytes).not.toContain("some");
  expect(bytes.length).toBeLessThan(45);
});

test("lines that move up are moved by the terminal, also above a part that stays", async () => {
  const text = Array.from({ length: 12 }, (_, index) => `line ${index} of a longer text`);
  const before = frame([...text.slice(0, 6), "editor", "footer"], 40);
  const next = frame([...text.slice(1, 7), "editor", "footer"], 40);
  const bytes = paintFrame(before, next);
  expect(bytes).toContain("line 6");
  expect(bytes).not.toContain("line 5");
  const terminal = new FakeTerminal(40, 8);
  terminal.write(paintFrame(undefined, before) + bytes);
  expect(await terminal.rowsShown()).toEqual([...text.slice(1, 7), "editor", "footer"]);
});

test("with a scrollback in use, rows move up without a command that scrolls: tmux would keep what it pushes out", async () => {
  const text = Array.from({ length: 12 }, (_, index) => `line ${index} of a longer text`);
  const before = frame(["head", ...text.slice(0, 5), "editor", "footer"], 40);
  const next = frame(["head", ...text.slice(1, 6), "editor", "footer"], 40);
  const bytes = paintFrame(before, next, true);
  expect(bytes).not.toContain("line 4");
  expect(bytes).not.toMatch(/\[\d*S|\n/);
  const terminal = new FakeTerminal(40, 8);
  terminal.write(paintFrame(undefined, before, true) + bytes);
  expect(await terminal.wholeBuffer()).toEqual(["head", ...text.slice(1, 6), "editor", "footer"]);
});

test("a line is cut at the width, and can neither move the cursor nor erase anything", async () => {
  const wild = [
    "x".repeat(50),
    "a\x1b[2Jb\x1b[5;5Hc\x1b]0;title\x07d",
    "tab\there\r\nthere",
    "\x1b[3",
  ];
  const terminal = new FakeTerminal(20, 8);
  terminal.write(paintFrame(undefined, frame(wild)));
  expect(await terminal.rowsShown()).toEqual([
    "x".repeat(20),
    "abcd",
    "tab   herethere",
    "[3",
    "",
    "",
    "",
    "",
  ]);
});

test("the cursor stands where a component put its mark", () => {
  const { cursor, lines } = frame(["", `日本${CURSOR_MARKER}x`]);
  expect(cursor).toEqual({ row: 1, column: 4 });
  expect(lines[1]).toBe("日本x");
});
