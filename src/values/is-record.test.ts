import { expect, it } from "vitest";
import { isRecord } from "./index.ts";

it.each([{}, { a: 1 }, Object.create(null), new Error("one")])("%j has keys", (value) => {
  expect(isRecord(value)).toBe(true);
});

it.each([null, undefined, [], ["a"], "text", 1, true, () => 1])("%j is no record", (value) => {
  expect(isRecord(value)).toBe(false);
});
