import { expect, test } from "vitest";
import { safeOutput, safeText } from "./safe-text.ts";

test("no escape sequence of a model's is obeyed", () => {
  expect(safeText("a\x1b[31mb\x1b]0;title\x07c\x1b[2Jd\x1b")).toBe("abcd");
  expect(safeText("\u009b31mred \u202eevil\u202c")).toBe("31mred evil");
});

test("line breaks and tabs stay, and nothing is hidden by going back in its line", () => {
  expect(safeText("a\r\n\tb\nrm -rf build\rls")).toBe("a\n\tb\nrm -rf build\nls");
});

test("of a line that a program wrote over, what is there at the end stays", () => {
  expect(safeOutput("a\r\n\tb\n10%\r20%\r30%\ndone\r")).toBe("a\n\tb\n30%\ndone");
});

test("a line of ten megabytes is no trouble", () => {
  const long = "x".repeat(10_000_000);
  expect(safeText(long)).toBe(long);
  expect(safeOutput(long)).toBe(long);
});
