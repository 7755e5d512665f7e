import { expect, test, vi } from "vitest";
import { InputReader } from "./input-reader.ts";

function reader() {
  const keys: string[] = [];
  return { keys, input: new InputReader((data) => keys.push(data), 5) };
}

test("keys that arrive together are told apart", () => {
  const { keys, input } = reader();
  input.feed("aé👍\x1b[A\x1bOP\x1b\x1b[A\x1bb\x03\x1b[97;5u");
  expect(keys).toEqual([
    "a",
    "é",
    "👍",
    "\x1b[A",
    "\x1bOP",
    "\x1b\x1b[A",
    "\x1bb",
    "\x03",
    "\x1b[97;5u",
  ]);
});

test("a sequence that arrives in two parts is one key, and escape alone is a key after a moment", async () => {
  const { keys, input } = reader();
  input.feed("\x1b[1;");
  input.feed("5A\x1b");
  expect(keys).toEqual(["\x1b[1;5A"]);
  await vi.waitFor(() => expect(keys).toEqual(["\x1b[1;5A", "\x1b"]));
});

test("a paste is one piece, however it arrives and whatever is in it", () => {
  const { keys, input } = reader();
  const text = `first\x1b[A\nsecond ${"x".repeat(100)}`;
  for (const part of `a\x1b[200~${text}\x1b[201~b`.match(/[\s\S]{1,7}/g) ?? []) input.feed(part);
  expect(keys.join("")).toBe(`a\x1b[200~${text}\x1b[201~b`);
  expect(keys).toContain(`\x1b[200~${text}\x1b[201~`);
});

test("ten megabytes are pasted in one piece", () => {
  const { keys, input } = reader();
  const part = "some text in a line\n".repeat(3000);
  input.feed("\x1b[200~");
  for (let sent = 0; sent < 10_000_000; sent += part.length) input.feed(part);
  input.feed("\x1b[201~");
  expect(keys.length).toBe(1);
  expect(keys[0]?.length).toBeGreaterThan(10_000_000);
});
