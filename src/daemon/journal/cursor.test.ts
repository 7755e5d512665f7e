import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../test-kit/folder.ts";
import { Cursor } from "./cursor.ts";

test("a cursor is where it was left", () => {
  const path = join(testFolder(), "cursor");
  const cursor = new Cursor(path);
  expect(cursor.value).toBe(0);
  cursor.move(12345);
  cursor.move(7);
  expect(new Cursor(path).value).toBe(7);
  expect(readFileSync(path)).toHaveLength(17);
});

test.each(["", "garbage", "\0\0\0"])("a file that holds %j counts as none", (text) => {
  const path = join(testFolder(), "cursor");
  writeFileSync(path, text);
  const cursor = new Cursor(path);
  expect(cursor.value).toBe(0);
  cursor.move(3);
  expect(new Cursor(path).value).toBe(3);
});
