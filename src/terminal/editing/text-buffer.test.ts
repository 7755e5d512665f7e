import { expect, test } from "vitest";
import { TextBuffer } from "./text-buffer.ts";

test("any number of lines is put into a text", () => {
  const buffer = new TextBuffer();
  buffer.replace(buffer.end, buffer.end, "ab");
  const middle = { line: 0, col: 1 };
  buffer.replace(middle, middle, "\n".repeat(500_000));
  expect(buffer.lines.length).toBe(500_001);
  expect([buffer.lineAt(0), buffer.lineAt(500_000)]).toEqual(["a", "b"]);
  expect(buffer.cursor).toEqual({ line: 500_000, col: 0 });
});
