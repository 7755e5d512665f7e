import { expect, test } from "vitest";
import { safeText } from "./safe-text.ts";

test("no escape sequence of a model's is obeyed", () => {
  expect(safeText("a\x1b[31mb\x1b]0;title\x07c\x1b[2Jd\x1b")).toBe("abcd");
  expect(safeText("\u009b31mred \u202eevil\u202c")).toBe("31mred evil");
});

test("line breaks and tabs stay, and what a program wrote over itself is gone", () => {
  expect(safeText("a\r\n\tb\n10%\r20%\r30%\ndone\r")).toBe("a\n\tb\n30%\ndone");
});
